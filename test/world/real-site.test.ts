/**
 * A site that was not made for this test: an editor of 2,798 files, deployed from the terminal and read back.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walkSite } from '../../src/cli/deploy/walk-site.ts'
import { inParallel } from '../../src/lib/async/in-parallel.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'
import { isInstalled } from './needs.ts'
import { type Page, get as visit } from './visit.ts'

const site = resolve('tools/node_modules/ckeditor4')

let program: Program
let home: string
let paths: string[]

const isThere = isInstalled('A site of thousands of files')

beforeAll(async () => {
  if (!isThere) return
  home = await newDataDirectory()
  program = await startProgram({ SVC_DATA_DIR: join(home, 'data') })
  paths = (await walkSite(site, new AbortController().signal)).map(({ path }) => path)
  await svc('projects', 'add', 'editor')
}, 60_000)

afterAll(async () => {
  if (isThere) await program.end('SIGTERM')
})

async function svc(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, SVC_URL: program.apiUrl, SVC_TOKEN: program.key }
  // The directory for its `svc.json`.
  const options = { env, cwd: home }
  const { stdout } = await promisify(execFile)(process.execPath, [resolve('dist/svc.cjs'), ...args], options)
  return stdout
}

const get = (path: string, headers?: Record<string, string>) =>
  visit(program.siteUrl('editor'), path, headers)

function decode({ headers, bytes }: Page): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes)
  return headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

/** The paths whose response differs from the file. */
async function differing(headers: Record<string, string> = {}): Promise<string[]> {
  const equal = await inParallel(paths, 16, async (path) => {
    const [page, file] = await Promise.all([get(path, headers), readFile(join(site, path))])
    return page.status === 200 && decode(page).equals(file)
  })
  return paths.filter((_, index) => !equal[index])
}

describe.runIf(isThere)('a real site of thousands of files', () => {
  it('is deployed and served byte for byte', async () => {
    expect(paths.length).toBeGreaterThan(1_000)
    const deployment = JSON.parse(await svc('deploy', site, '--project', 'editor', '--prod', '--json'))
    expect(deployment).toMatchObject({ live: true, files: paths.length })
    expect(await differing()).toEqual([])
  }, 120_000)

  it('has its pages at their URLs, with their types', async () => {
    expect(await get('samples')).toMatchObject({ status: 308, headers: { location: '/samples/' } })
    const page = await get('samples/')
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(page.bytes.equals(await readFile(join(site, 'samples/index.html')))).toBe(true)
    expect((await get('ckeditor.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await get('samples/nothing')).status).toBe(404)
  })

  it('is deployed again at once when nothing has changed', async () => {
    const again = JSON.parse(await svc('deploy', site, '--project', 'editor', '--prod', '--json'))
    expect(again).toMatchObject({ live: true, files: paths.length })
    expect(await differing()).toEqual([])
  }, 120_000)

  it('is served compressed, with the same bytes after decoding', async () => {
    const accepting = { 'accept-encoding': 'br, gzip' }
    const coding = async () => (await get('ckeditor.js', accepting)).headers['content-encoding']
    await expect.poll(coding, { timeout: 90_000, interval: 500 }).toBe('br')
    expect(await differing(accepting)).toEqual([])
  }, 120_000)
})
