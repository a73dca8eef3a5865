import { access, chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { explainUnopenedEmbedded, explainUnusable } from '../../../src/stores/data-dir/explain-unusable.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-unusable-'))
})

/** An error of the system, as Node makes them. */
function systemError(code: string, more: Record<string, unknown>): Error {
  return Object.assign(new Error(code), { code, ...more })
}

it.each([
  ['ENOSPC', 'has no space left, or its disk too many files'],
  ['EDQUOT', 'has used up the quota of its disk'],
  ['EROFS', 'is on a file system that is read-only'],
  ['EACCES', "can't be used by the user of this process"],
  ['EPERM', "can't be used by the user of this process"],
])('%s of a file in it is named, with the directory and a remedy', (code, text) => {
  const path = join(directory, 'db', 'a')
  const explained = explainUnusable(systemError(code, { path, syscall: 'open' }), directory)
  expect(explained).toBeInstanceOf(SettingsError)
  expect(String(explained)).toContain(`The data directory ${directory} ${text} (${code}: ${path}).`)
  expect(String(explained)).toContain(', or set SVC_DATA_DIR to another one.')
})

it('so is one of the directory above, or a cause of another error', () => {
  const above = systemError('EACCES', { path: join(directory, '..'), syscall: 'mkdir' })
  const cause = systemError('ENOSPC', { syscall: 'write' })
  expect(explainUnusable(above, directory)).toBeInstanceOf(SettingsError)
  expect(explainUnusable(new Error('It was not stored.', { cause }), directory)).toBeInstanceOf(SettingsError)
})

it('of a socket in it, too', () => {
  const address = join(directory, 'lock.sock')
  const error = systemError('EACCES', { address, syscall: 'listen', port: -1 })
  expect(String(explainUnusable(error, directory))).toContain(address)
})

it.each([
  ['EACCES', { syscall: 'listen', address: '0.0.0.0', port: 80 }],
  ['EACCES', { syscall: 'open', path: '/elsewhere/key' }],
  ['ENOSPC', { syscall: 'watch', path: '/elsewhere' }],
  ['EACCES', { syscall: 'spawn', path: 'git' }],
  ['ECONNREFUSED', { syscall: 'connect' }],
])('%s with %j is of something else', (code, more) => {
  const error = systemError(code, more)
  expect(explainUnusable(error, directory)).toBe(error)
})

it("of the embedded database's own errors, the file is found, or the number is read", async () => {
  const database = directory
  const given = { directory, database }
  const wasm = await explainUnopenedEmbedded({ name: 'ErrnoError', errno: 51 }, given)
  expect(String(wasm)).toContain('has no space left')
  const nothing = new Error('PGlite failed to initialize properly')
  expect(await explainUnopenedEmbedded(nothing, given)).toBe(nothing)
  const file = join(database, 'PG_VERSION')
  await writeFile(file, '17')
  await chmod(file, 0)
  const isReadable = await access(file).then(
    () =>
      readFile(file).then(
        () => true,
        () => false,
      ),
    () => false,
  )
  const found = await explainUnopenedEmbedded(nothing, given)
  // Root may read everything.
  if (isReadable) expect(found).toBe(nothing)
  else expect(String(found)).toContain(`(EACCES: ${file})`)
})
