/** The built program: one file of all modules, and V8's compiled code for it. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takesCompiled } from './takes-compiled.ts'

const main = resolve('dist/main.js')

let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-one-file-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/**
 * Starts the program with a setting that it refuses; resolves to the modules of `dist` that it loaded until
 * then.
 */
async function modulesLoaded(...flags: string[]): Promise<string[]> {
  const coverage = join(directory, `coverage${flags.length}`)
  const { status, stderr } = spawnSync(process.execPath, [...flags, main], {
    cwd: directory,
    env: { PATH: process.env.PATH, SVC_PORT: 'none', NODE_V8_COVERAGE: coverage },
    encoding: 'utf8',
  })
  expect(stderr).toContain('SVC_PORT')
  expect(status).toBe(1)
  const [file = ''] = await readdir(coverage)
  const urls = (await readFile(join(coverage, file), 'utf8')).matchAll(/"url":"(file:[^"]+)"/g)
  const dist = pathToFileURL(resolve('dist/')).href
  return [...urls].flatMap(([, url = '']) => (url.startsWith(dist) ? url.slice(dist.length) : [])).sort()
}

it('loads only the two modules that load the bundle', async () => {
  expect(await modulesLoaded()).toEqual(['/main.js', '/stores/cache/compiled-program.js'])
})

it('loads its modules when stack traces should lead to their sources', async () => {
  expect(await modulesLoaded('--enable-source-maps')).toEqual(
    expect.arrayContaining(['/main.js', '/operate/node/node.js', '/operate/node/run-node.js']),
  )
})

it('has V8’s compiled code', () => {
  const compiled = `dist/node-program.${process.version}-${process.arch}.bin`
  expect(takesCompiled('dist/node-program.js', compiled)).toBe(true)
})

it('the command starts without the engine of schemas, which is larger than all of it', async () => {
  expect(await readFile('dist/svc-program.js', 'utf8')).not.toContain('ZodError')
})
