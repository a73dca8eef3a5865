/** When `npm start` and `npm test` build, and when the last build is still valid. */
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeStaleBuild } from '../support/report-stale-build.ts'

const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', 'build']
const outputs = [
  'main.js',
  'svc.cjs',
  'svc-program.js',
  'svc-mcp.cjs',
  'node-program.js',
  'database.tar.gz',
  'svc.tgz',
  'client.tgz',
  'guides.json',
]

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-built-'))
  for (const input of inputs) await cp(input, join(directory, input), { recursive: true })
})

beforeEach(async () => {
  for (const folder of ['src', 'drizzle', 'docs', 'client', 'dist'])
    await mkdir(join(directory, folder), { recursive: true })
  await writeFile(join(directory, 'src/main.ts'), 'first')
  await writeFile(join(directory, 'drizzle/0000_first.sql'), 'first')
  for (const file of outputs) await writeFile(join(directory, 'dist', file), '')
  builtFrom('--write')
})

afterAll(() => rm(directory, { recursive: true, force: true }))

function builtFrom(...args: string[]): boolean {
  return (
    spawnSync(process.execPath, [resolve('build/built-from.mjs'), ...args], { cwd: directory }).status === 0
  )
}

it('is valid while nothing changes', () => {
  expect(builtFrom()).toBe(true)
})

it.each([
  'src/main.ts',
  'drizzle/0000_first.sql',
  'package-lock.json',
  'build/bundle.mjs',
  'build/tsconfig.json',
  'build/new.mjs',
  'src/new.ts',
  'docs/new.md',
])('builds again where %s changed', async (file) => {
  await writeFile(join(directory, file), 'second')
  expect(builtFrom()).toBe(false)
})

it('is what the report of a failed run names where it is of other sources', async () => {
  expect(describeStaleBuild(directory)).toBe('')
  await writeFile(join(directory, 'src/main.ts'), 'second')
  expect(describeStaleBuild(directory)).toContain('run `npm run build`')
})

it.each(outputs)('builds again where dist/%s is missing', async (file) => {
  await rm(join(directory, 'dist', file))
  expect(builtFrom()).toBe(false)
})
