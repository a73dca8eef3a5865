/** The caches on a node's disk: whole or not at all, and within the bounds of a team. */
import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { type CacheStore, openCacheStore, type Slot } from '../../../../src/platform/builds/cache/store.ts'
import { unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'

let root: string
let store: CacheStore

beforeEach(async () => {
  root = join(inject('directory'), randomUUID())
  store = await openCacheStore(root, { teamBytes: 1_000, disk: unreserved })
})

const production: Slot = { teamId: 'team_1', projectId: 'prj_1', line: 'production', part: 'results' }

/** Saves a cache with one file, whose size is as it is said to be. */
async function save(slot: Slot, content: string, { bytes = 100, nowMs = 1_000 } = {}): Promise<void> {
  const made = await store.newTree()
  await writeFile(join(made.tree, 'file'), content)
  await store.save(slot, made, { key: 'k', bytes }, nowMs)
}

async function contentOf(slot: Slot, nowMs = 2_000): Promise<string | undefined> {
  const held = await store.hold(slot, nowMs)
  if (!held) return undefined
  try {
    return await readFile(join(held.tree, 'file'), 'utf8')
  } finally {
    await held.release()
  }
}

const generationsOf = ({ teamId, projectId, line, part }: Slot) =>
  readdir(join(root, teamId, projectId, line, part))

describe('a cache', () => {
  it('is the one that was saved last', async () => {
    expect(await contentOf(production)).toBeUndefined()
    await save(production, 'first')
    await save(production, 'second')
    expect(await contentOf(production)).toBe('second')
    expect(await generationsOf(production)).toEqual(['g-2'])
  })

  it('stays for who reads it, and goes with the last of them', async () => {
    await save(production, 'first')
    const held = await store.hold(production, 2_000)
    const other = await store.hold(production, 2_000)
    await save(production, 'second')
    await other?.release()
    expect(await readFile(join(held?.tree ?? '', 'file'), 'utf8')).toBe('first')
    expect(await contentOf(production)).toBe('second')
    await held?.release()
    expect(await generationsOf(production)).toEqual(['g-2'])
  })

  it('is whole for each of many that save and read it at a time', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => `content ${index}`)
    const found = await Promise.all(
      contents.map(async (content) => {
        await save(production, content)
        return contentOf(production)
      }),
    )
    for (const content of found) expect(contents).toContain(content)
    expect(await generationsOf(production)).toEqual(['g-20'])
  })

  it('is of one part of one line of one project', async () => {
    await save(production, 'content')
    for (const other of [
      { ...production, part: 'downloads' },
      { ...production, line: 'branch-1' },
      { ...production, projectId: 'prj_2' },
      { ...production, teamId: 'team_2' },
    ] as const)
      expect(await contentOf(other)).toBeUndefined()
  })

  it.each(['manifest.json', 'tree'])('without its %s is ignored and removed', async (name) => {
    await save(production, 'content')
    await rm(join(root, 'team_1/prj_1/production/results/g-1', name), { recursive: true })
    expect(await contentOf(production)).toBeUndefined()
    expect(await generationsOf(production)).toEqual([])
    await save(production, 'another')
    expect(await contentOf(production)).toBe('another')
  })

  it('with a damaged description gives way to the one before, if that is there', async () => {
    await save(production, 'first')
    const held = await store.hold(production, 2_000)
    await save(production, 'second')
    await writeFile(join(root, 'team_1/prj_1/production/results/g-2/manifest.json'), '{"key":')
    expect(await contentOf(production)).toBe('first')
    await held?.release()
    expect(await contentOf(production)).toBe('first')
  })

  it('is gone once it is dropped', async () => {
    await save(production, 'content')
    await store.drop(production)
    await store.drop(production)
    expect(await contentOf(production)).toBeUndefined()
  })
})

describe('the next start', () => {
  it('removes what a process that died has left, and keeps the caches', async () => {
    await save(production, 'content')
    const { directory, tree } = await store.newTree()
    await mkdir(join(tree, 'deep'))
    store = await openCacheStore(root, { teamBytes: 1_000, disk: unreserved })
    await expect(access(directory)).rejects.toThrow('ENOENT')
    expect(await contentOf(production)).toBe('content')
  })
})

describe('the caches of a team', () => {
  const branch = (number: number): Slot => ({ ...production, line: `branch-${number}` })

  it('are at most as large as is set: the one that was used longest ago goes', async () => {
    await save(branch(1), 'one', { bytes: 400, nowMs: 1_000 })
    await save(branch(2), 'two', { bytes: 400, nowMs: 2_000 })
    await contentOf(branch(1), 3_000)
    await save({ ...production, projectId: 'prj_2' }, 'three', { bytes: 400, nowMs: 4_000 })
    expect(await contentOf(branch(2))).toBeUndefined()
    expect(await contentOf(branch(1))).toBe('one')
  })

  it('leave those of another team alone', async () => {
    await save({ ...production, teamId: 'team_2' }, 'theirs', { bytes: 500, nowMs: 1_000 })
    for (const number of [1, 2, 3]) await save(branch(number), 'ours', { bytes: 500, nowMs: 2_000 + number })
    expect(await contentOf({ ...production, teamId: 'team_2' })).toBe('theirs')
    expect(await contentOf(branch(1))).toBeUndefined()
  })

  it('are at most 150', { tags: 'long' }, async () => {
    for (let number = 0; number <= 150; number += 1) {
      await save(branch(number), `${number}`, { bytes: 1, nowMs: 1_000 + number })
    }
    expect(await contentOf(branch(0))).toBeUndefined()
    expect(await contentOf(branch(1))).toBe('1')
  })

  it('are not removed while they are read', async () => {
    await save(branch(1), 'one', { bytes: 500, nowMs: 1_000 })
    const held = await store.hold(branch(1), 1_000)
    for (const number of [2, 3]) await save(branch(number), 'more', { bytes: 500, nowMs: 2_000 + number })
    expect(await readFile(join(held?.tree ?? '', 'file'), 'utf8')).toBe('one')
    await held?.release()
  })

  it('each have at most half of the space', () => {
    expect(store.maxBytes).toBe(500)
  })
})
