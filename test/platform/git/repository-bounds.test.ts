/** How much the repositories of a node may hold. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { holdRepository, releaseRepository } from '../../../src/platform/git/holds.ts'
import { adopt, newRepository } from '../../../src/platform/git/repositories.ts'
import { createRepositoryBounds } from '../../../src/platform/git/repository-bounds.ts'
import { runGit } from '../../../src/platform/git/run-git.ts'
import { tidyRepository } from '../../../src/platform/git/tidy-repository.ts'
import { whileWriting } from '../../../src/platform/git/writers.ts'
import { eventually } from '../../support/eventually.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(inject('directory'), 'git-'))
})

const nowMs = Date.now()
const hourMs = 3_600_000
const laterMs = nowMs + hourMs

/** A project's repository with so many bytes, last used so many hours ago. */
async function repositoryOf(teamId: string, projectId: string, { bytes = 100, hoursAgo = 1 } = {}) {
  const directory = await adopt(root, await newRepository(root), { teamId, projectId })
  await writeFile(join(directory, 'objects', 'pack', 'pack-1.pack'), Buffer.alloc(bytes))
  const used = new Date(nowMs - hoursAgo * hourMs)
  await utimes(directory, used, used)
  return directory
}

async function addPack(directory: string, bytes: number): Promise<void> {
  await writeFile(join(directory, 'objects', 'pack', 'pack-2.pack'), Buffer.alloc(bytes))
  await writeFile(join(directory, 'objects', 'pack', 'pack-2.idx'), '')
}

const isThere = (directory: string) =>
  stat(directory).then(
    () => true,
    () => false,
  )

const whichOf = (directories: string[]) => Promise.all(directories.map(isThere))

/** Those of a repository without objects are of its configuration. */
const bounds = { repository: 1_200, team: 1_500, node: 3_500 }

/** As a process does that knows nothing yet. */
const keepAll = (atMs: number) => createRepositoryBounds(root, bounds).keepAll(atMs)

it('of a team the least recently used goes, and another team keeps its own', async () => {
  const kept = await repositoryOf('team_a', 'prj_1', { bytes: 900, hoursAgo: 1 })
  const gone = await repositoryOf('team_a', 'prj_2', { bytes: 900, hoursAgo: 2 })
  const others = await repositoryOf('team_b', 'prj_3', { bytes: 900, hoursAgo: 3 })
  await keepAll(nowMs)
  expect(await whichOf([kept, gone, others])).toEqual([true, false, true])
})

it('of a node the least recently used goes, whose ever it is', async () => {
  const made = []
  for (const hours of [1, 2, 3, 4])
    made.push(await repositoryOf(`team_${hours}`, 'prj_1', { bytes: 800, hoursAgo: hours }))
  await keepAll(nowMs)
  expect(await whichOf(made)).toEqual([true, true, true, false])
})

it('one that is too large by itself goes', async () => {
  const large = await repositoryOf('team_a', 'prj_1', { bytes: 1_201 })
  await keepAll(nowMs)
  expect(await isThere(large)).toBe(false)
})

it('all that is below a repository counts, and what is on its way counts for the node', async () => {
  const large = await repositoryOf('team_a', 'prj_1', { bytes: 600, hoursAgo: 1 })
  const kept = await repositoryOf('team_b', 'prj_2', { bytes: 900, hoursAgo: 2 })
  const last = await repositoryOf('team_c', 'prj_3', { bytes: 900, hoursAgo: 3 })
  await mkdir(join(large, 'objects', 'tmp_objdir-incoming-1', 'pack'), { recursive: true })
  await writeFile(join(large, 'objects', 'tmp_objdir-incoming-1', 'pack', 'tmp_pack_1'), Buffer.alloc(600))
  await keepAll(nowMs)
  expect(await whichOf([large, kept, last])).toEqual([false, true, true])
  await writeFile(join(await newRepository(root), 'pack'), Buffer.alloc(1_500))
  await keepAll(nowMs)
  expect(await whichOf([kept, last])).toEqual([true, false])
})

it('one that a push holds stays until the push has ended, unless its process died long ago', async () => {
  const held = await repositoryOf('team_a', 'prj_1', { bytes: 1_201 })
  const hold = await holdRepository(held)
  await keepAll(nowMs)
  expect(await isThere(held)).toBe(true)
  await releaseRepository(held, hold)
  await keepAll(nowMs)
  expect(await isThere(held)).toBe(false)

  const left = await repositoryOf('team_a', 'prj_2', { bytes: 1_201 })
  await holdRepository(left)
  await keepAll(nowMs + 3 * hourMs)
  expect(await isThere(left)).toBe(false)

  const small = await repositoryOf('team_a', 'prj_3')
  const mark = await holdRepository(small)
  await keepAll(nowMs)
  expect(await isThere(join(small, mark))).toBe(true)
  await keepAll(nowMs + 3 * hourMs)
  expect([await isThere(small), await isThere(join(small, mark))]).toEqual([true, false])
})

describe('once it is known what there is', () => {
  const known = async () => {
    const repositories = createRepositoryBounds(root, bounds)
    // Later than any change so far, so that another change is one of another time.
    await repositories.keepAll(laterMs)
    return repositories
  }

  it('a push that makes it too much has the least recently used thrown away', async () => {
    const first = await repositoryOf('team_a', 'prj_1', { bytes: 600, hoursAgo: 2 })
    const second = await repositoryOf('team_a', 'prj_2', { bytes: 100, hoursAgo: 1 })
    const repositories = await known()
    await addPack(second, 800)
    await repositories.afterPush({ directory: second, team: 'team_a' }, laterMs)
    expect(await whichOf([first, second])).toEqual([false, true])
  })

  it('so is one that other processes made too large, and one that they removed does not count', async () => {
    const [grown, gone, kept] = [
      await repositoryOf('team_a', 'prj_1', { bytes: 100, hoursAgo: 3 }),
      await repositoryOf('team_b', 'prj_2', { bytes: 1_000, hoursAgo: 2 }),
      await repositoryOf('team_b', 'prj_3', { bytes: 100, hoursAgo: 4 }),
    ]
    const repositories = await known()
    await whileWriting(grown, () => addPack(grown, 1_200))
    await rm(gone, { recursive: true })
    await repositoryOf('team_b', 'prj_4', { bytes: 1_000, hoursAgo: 1 })
    await repositories.keepAll(laterMs)
    expect(await whichOf([grown, kept])).toEqual([false, true])
  })

  it('a push measures its own repository, and no other', async () => {
    const other = await repositoryOf('team_a', 'prj_1')
    const pushed = await repositoryOf('team_b', 'prj_2')
    const repositories = await known()
    // Nobody writes so, who marks the directory meanwhile.
    await addPack(other, 1_201)
    await repositories.afterPush({ directory: pushed, team: 'team_b' }, laterMs)
    await repositories.keepAll(laterMs)
    expect(await isThere(other)).toBe(true)
    // Until the file system counts another time.
    await eventually(async () => {
      await whileWriting(other, async () => {})
      await repositories.keepAll(laterMs)
      expect(await isThere(other)).toBe(false)
    })
  })

  it('the first push measures all', async () => {
    const large = await repositoryOf('team_a', 'prj_1', { bytes: 1_201 })
    const pushed = await repositoryOf('team_b', 'prj_2')
    await createRepositoryBounds(root, bounds).afterPush({ directory: pushed, team: 'team_b' }, nowMs)
    expect(await whichOf([large, pushed])).toEqual([false, true])
  })
})

it('many packs become one, with the objects that no ref leads to', async () => {
  const directory = await adopt(root, await newRepository(root), { teamId: 'team_a', projectId: 'prj_1' })
  const blobs: string[] = []
  for (let each = 0; each < 51; each += 1) {
    const written = await runGit(directory, ['hash-object', '-w', '--stdin'], randomBytes(20).toString('hex'))
    const blob = written.toString().trim()
    await runGit(directory, ['pack-objects', '--quiet', join(directory, 'objects/pack/pack')], `${blob}\n`)
    blobs.push(blob)
  }
  await runGit(directory, ['prune-packed', '--quiet'])
  await tidyRepository(directory, nowMs)
  const packs = (await readdir(join(directory, 'objects/pack'))).filter((name) => name.endsWith('.pack'))
  expect(packs).toHaveLength(1)
  const found = await runGit(directory, ['cat-file', '--batch-check'], `${blobs.join('\n')}\n`)
  expect(found.toString()).not.toContain('missing')
})
