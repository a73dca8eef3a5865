/** Files of a backup that somebody else may have made. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeEach, expect, inject, it } from 'vitest'
import { openDirectoryPlace } from '../../../src/operate/backup/directory-place.ts'

const run = promisify(execFile)
const backup = '2026-01-31T12-00-00.000Z'
const file = 'tables/teams.gz'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(inject('directory'), 'place-'))
  path = join(directory, backup, file)
  await mkdir(join(directory, backup, 'tables'), { recursive: true })
  await writeFile(path, 'rows')
  await writeFile(join(directory, 'outside'), 'secret')
})

const read = async () => text((await openDirectoryPlace(directory)).read(backup, file))

it('are read, also in a backup that a link leads to', async () => {
  expect(await read()).toBe('rows')
  await rename(join(directory, backup), join(directory, 'elsewhere'))
  await symlink('elsewhere', join(directory, backup))
  expect(await read()).toBe('rows')
})

it.each<[string, () => Promise<unknown>]>([
  ['are a link', () => symlink(join(directory, 'outside'), path)],
  ['wait for a writer', () => run('mkfifo', [path])],
  ['are a directory', () => mkdir(path)],
])('are refused that %s', async (_, put) => {
  await rm(path)
  await put()
  await expect(read()).rejects.toThrow('is no regular file of the backup')
})

it('are refused in a directory that is a link', async () => {
  await rename(join(directory, backup, 'tables'), join(directory, 'tables'))
  await symlink('../tables', join(directory, backup, 'tables'))
  await expect(read()).rejects.toThrow('is no regular file of the backup')
})

it('that are missing are named', async () => {
  await rm(path)
  await expect(read()).rejects.toThrow('is missing')
})
