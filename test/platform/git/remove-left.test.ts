/** What programs that died left in repositories goes, and what one that runs may need stays. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, inject, it } from 'vitest'
import { removeAllLeft } from '../../../src/platform/git/remove-left.ts'
import { adopt, newRepository } from '../../../src/platform/git/repositories.ts'
import { createRepositoryBounds } from '../../../src/platform/git/repository-bounds.ts'
import { beginWriting, whileWriting } from '../../../src/platform/git/writers.ts'

let root: string
let repository: string

beforeEach(async () => {
  root = await mkdtemp(join(inject('directory'), 'git-'))
  repository = await adopt(root, await newRepository(root), { teamId: 'team_a', projectId: 'prj_1' })
})

/** As git and the program name what they put aside; a pack without its index is no pack yet. */
const putAside = [
  'objects/tmp_objdir-incoming-4fJk2a/pack/tmp_pack_Ab12Cd',
  'objects/pack/tmp_idx_Ab12Cd',
  'objects/pack/.tmp-12-pack-1f.pack',
  'objects/pack/pack-1f00.pack',
  'objects/pack/pack-1f00.rev',
  'objects/pack/pack-2f00.keep',
  'objects/1f/tmp_obj_Ab12Cd',
  'objects/info/commit-graph.lock',
  'refs/heads/main.lock',
  'refs/heads/a/b/c.lock',
  'packed-refs.lock',
  'packed-refs.new',
  'shallow.lock',
  'svc-objects-1f/tmp_objdir-incoming-1/pack/tmp_pack_1',
  'svc-fetch-1f/objects/pack/tmp_pack_1',
  'rules-Ab12Cd/rules',
]

/** What has a similar name. */
const kept = [
  'objects/pack/pack-2f00.pack',
  'objects/pack/pack-2f00.idx',
  'objects/1f/00',
  'refs/heads/tmp_pack_1',
  'refs/heads/rules-1',
  'refs/heads/svc-fetch-1',
  'packed-refs',
]

async function write(names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(repository, name)), { recursive: true })
    await writeFile(join(repository, name), 'bytes')
  }
}

async function isThere(name: string): Promise<boolean> {
  const names: string[] = await readdir(dirname(join(repository, name))).catch(() => [])
  return names.includes(name.slice(name.lastIndexOf('/') + 1))
}

const which = async (names: string[]) => {
  const there = await Promise.all(names.map(isThere))
  return names.filter((_, at) => there[at])
}

/** Begins to change the repository; the result ends the change and waits until it has tidied up. */
async function startWriting(): Promise<() => Promise<void>> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let written = ended
  await new Promise<void>((begun) => {
    written = whileWriting(repository, () => {
      begun()
      return ended
    })
  })
  return () => {
    end()
    return written
  }
}

/** Gives what this process made in `directory` to one that has ended. */
async function leaveToDead(directory: string): Promise<void> {
  const child = spawn('true', { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  for (const name of await readdir(directory))
    if (name.includes(`-${process.pid}-`))
      await rename(join(directory, name), join(directory, name.replace(`-${process.pid}-`, `-${child.pid}-`)))
}

it('at the start all of it goes, whoever made it, and what counts stays', async () => {
  await write([...putAside, ...kept])
  await beginWriting(repository)
  await newRepository(root)
  await removeAllLeft(root)
  expect(await which(putAside)).toEqual([])
  expect(await which(kept)).toEqual(kept)
  expect((await readdir(repository)).filter((name) => name.startsWith('svc-'))).toEqual([])
  expect(await readdir(root)).toEqual(['team_a'])
})

it('later on, what a process left that died, once no other one changes the repository', async () => {
  await write([...putAside, ...kept])
  await beginWriting(repository)
  await leaveToDead(repository)
  const endOther = await beginWriting(repository)
  await createRepositoryBounds(root).keepAll(Date.now())
  expect(await which(putAside)).toEqual(putAside)
  await endOther()
  expect(await which(putAside)).toEqual([])
  expect(await which(kept)).toEqual(kept)
})

it('later on, nothing of one that runs', async () => {
  await write(putAside)
  const end = await beginWriting(repository)
  await newRepository(root)
  await createRepositoryBounds(root).keepAll(Date.now())
  expect(await which(putAside)).toEqual(putAside)
  expect(await readdir(root)).toHaveLength(2)
  await leaveToDead(root)
  await leaveToDead(repository)
  await createRepositoryBounds(root).keepAll(Date.now())
  expect(await which(putAside)).toEqual([])
  expect(await readdir(root)).toEqual(['team_a'])
  await end()
})

it('the last one to end tidies up, whether it succeeded or not', async () => {
  const endFirst = await startWriting()
  const endSecond = await startWriting()
  await write(putAside)
  await endFirst()
  expect(await which(putAside)).toEqual(putAside)
  await endSecond()
  expect(await which(putAside)).toEqual([])
  await write(putAside)
  await expect(whileWriting(repository, () => Promise.reject(new Error('cut off')))).rejects.toThrow(
    'cut off',
  )
  expect(await which(putAside)).toEqual([])
})

it('a repository that is gone meanwhile is nobody’s concern', async () => {
  const end = await beginWriting(repository)
  await rename(repository, `${repository}-elsewhere`)
  await end()
})
