/**
 * What the starters of frameworks build, deployed by folder, zip and tgz, and read back as a visitor.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDataDirectory, type Program, startProgram } from '../../support/program.ts'
import { get } from '../visit.ts'
import { buildStarter } from './build-starter.ts'
import { starters } from './starters.ts'

let program: Program
let home: string

beforeAll(async () => {
  home = await newDataDirectory()
  program = await startProgram({ SVC_DATA_DIR: join(home, 'data') })
}, 60_000)

afterAll(() => program.end('SIGTERM'))

const execute = promisify(execFile)

async function svc(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, SVC_URL: program.apiUrl, SVC_TOKEN: program.key }
  const { stdout } = await execute(process.execPath, [resolve('dist/svc.cjs'), ...args], { env, cwd: home })
  return stdout
}

/** The paths of the files below `directory`, in order. */
async function filesIn(directory: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true })
  return found
    .filter((each) => each.isFile())
    .map((each) => relative(directory, join(each.parentPath, each.name)))
    .sort()
}

/** The types that the registry of media types has for what these sites consist of. */
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  xsl: 'application/xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  ico: 'image/vnd.microsoft.icon',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  '.nojekyll': 'application/octet-stream',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  webmanifest: 'application/manifest+json; charset=utf-8',
}

/** Of all starters, by whether browsers keep them: what has a hash. One in some fifty reads as words. */
const kept: string[] = []
const missed: string[] = []

const lasting = 'public, max-age=31536000, immutable'
/** Until its compressed forms are made. */
const lastingYet = 'public, max-age=31536000, s-maxage=60, immutable'

describe.each(starters)('$name', (starter) => {
  const project = starter.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  let output: string
  let paths: string[]

  beforeAll(async () => {
    const room = await mkdtemp(join(inject('directory'), 'starter-'))
    output = await buildStarter(starter, room)
    paths = await filesIn(output)
    await svc('projects', 'add', project)
    if (starter.spa) await svc('projects', 'set', project, '--spa', 'on')
  }, 400_000)

  const visit = (path: string, headers: Record<string, string> = {}) =>
    get(program.siteUrl(project), path, headers)

  /** The addresses whose bytes or type aren't those of the file. */
  async function differing(): Promise<string[]> {
    const wrong: string[] = []
    for (const path of paths) {
      const [page, file] = await Promise.all([visit(path), readFile(join(output, path))])
      const type = types[basename(path)] ?? types[extname(path).slice(1)]
      const isRight = page.status === 200 && page.bytes.equals(file) && page.headers['content-type'] === type
      if (!isRight) wrong.push(`${path}: ${page.status} ${page.headers['content-type']}, not ${type}`)
    }
    return wrong
  }

  async function deploy(source: string): Promise<void> {
    const made = JSON.parse(await svc('deploy', source, '--project', project, '--prod', '--json'))
    expect(made).toMatchObject({ live: true, state: 'ready', files: paths.length })
  }

  it('as a folder has each file at its address, byte for byte and with its type', async () => {
    expect(paths).toContain('index.html')
    await deploy(output)
    expect(await differing()).toEqual([])
  }, 60_000)

  it('as a zip is the same', async () => {
    const zip = join(home, `${project}.zip`)
    await execute('zip', ['-q', '-r', zip, '.'], { cwd: output })
    await deploy(zip)
    expect(await differing()).toEqual([])
  }, 60_000)

  it('as a tgz is the same', async () => {
    const tgz = join(home, `${project}.tgz`)
    await execute('tar', ['-czf', tgz, '-C', output, '.'])
    await deploy(tgz)
    expect(await differing()).toEqual([])
  }, 60_000)

  it('has its pages at addresses without .html', async () => {
    const pages = paths.filter((path) => path.endsWith('.html') && path !== '404.html')
    for (const path of pages) {
      const address = path.replace(/(?:(^|\/)index)?\.html$/, '$1')
      const page = await visit(address)
      expect({ address, status: page.status }).toEqual({ address, status: 200 })
      expect(page.bytes.equals(await readFile(join(output, path)))).toBe(true)
    }
  })

  it('keeps nothing for a year but what has a hash in its name', async () => {
    const wrong: string[] = []
    for (const path of paths) {
      const { 'cache-control': found = '' } = (await visit(path)).headers
      const isLasting = [lasting, lastingYet].includes(found)
      if (starter.hashed.test(path)) (isLasting ? kept : missed).push(path)
      else if (isLasting) wrong.push(path)
    }
    expect(wrong).toEqual([])
  })

  it('answers where it has no file as the site means it', async () => {
    const page = { accept: 'text/html', 'sec-fetch-dest': 'document' }
    const nowhere = await visit('nowhere/at.all', page)
    const fallback = starter.spa ? 'index.html' : '404.html'
    expect(nowhere.status).toBe(starter.spa ? 200 : 404)
    if (paths.includes(fallback)) {
      expect(nowhere.bytes.equals(await readFile(join(output, fallback)))).toBe(true)
    }
    expect((await visit('assets/gone-DiwrgTda.js', { 'sec-fetch-dest': 'script' })).status).toBe(404)
  })
})

it('at least 19 of 20 files with a hash in their names are kept for a year', () => {
  expect(kept.length).toBeGreaterThan(50)
  expect({ missed, share: kept.length / (kept.length + missed.length) }).toMatchObject({
    share: expect.toSatisfy((share: number) => share >= 0.95),
  })
})
