/** Directories that somebody has named. */
import { mkdtemp, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, inject, it } from 'vitest'
import { makeDirectory } from '../../src/lib/make-directory.ts'

let room: string

beforeEach(async () => {
  room = await mkdtemp(join(inject('directory'), 'made-'))
})

it('is created with those above it, for its owner alone', async () => {
  const path = join(room, 'a', 'b', 'c')
  await makeDirectory(path)
  for (const each of [path, join(room, 'a')]) expect((await stat(each)).mode & 0o777).toBe(0o700)
})

it('stays as it is where it exists, also by a link, and for many at once', async () => {
  await Promise.all(Array.from({ length: 20 }, () => makeDirectory(join(room, 'x', 'y', 'z'))))
  await symlink(join(room, 'x'), join(room, 'link'))
  await makeDirectory(join(room, 'link'))
  await makeDirectory(join(room, 'link', 'y', 'new'))
  expect((await stat(join(room, 'x', 'y', 'new'))).isDirectory()).toBe(true)
})

it('a file in its place, or above it, is an error', async () => {
  await writeFile(join(room, 'file'), '')
  await expect(makeDirectory(join(room, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeDirectory(join(room, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it.runIf(process.platform === 'linux')('a file system that takes none is an error, at once', async () => {
  await expect(makeDirectory('/proc/svc')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(makeDirectory('/proc/svc/data')).rejects.toMatchObject({ code: 'ENOENT' })
})
