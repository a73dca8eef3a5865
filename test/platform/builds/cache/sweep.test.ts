/** The caches that no build will use are removed. */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { openCacheStore, type Slot } from '../../../../src/platform/builds/cache/store.ts'
import { sweepCaches } from '../../../../src/platform/builds/cache/sweep.ts'
import { unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { sharedNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'

const dayMs = 24 * 60 * 60_000

it('those of deleted projects at once, others thirty days after their last use', async () => {
  const node = await sharedNode()
  const team = await newTeam(node)
  const idOf = async (name: string): Promise<string> =>
    (await team.owner('PUT', `/v1/projects/${name}`)).body.id
  const [kept, deleted] = [await idOf('kept'), await idOf('deleted')]
  const root = join(inject('directory'), randomUUID())
  const store = await openCacheStore(root, { teamBytes: 1_000, disk: unreserved })
  const slotOf = (projectId: string, line: string): Slot => ({
    teamId: team.id,
    projectId,
    line,
    part: 'results',
  })
  const nowMs = Date.now()
  const save = async (slot: Slot, usedMs: number) =>
    store.save(slot, await store.newTree(), { key: '', bytes: 1 }, usedMs)
  await save(slotOf(kept, 'production'), nowMs)
  await save(slotOf(kept, 'branch-1'), nowMs - 31 * dayMs)
  await save(slotOf(deleted, 'production'), nowMs)
  await team.owner('DELETE', '/v1/projects/deleted')

  const { db } = node.installation.store
  expect(await sweepCaches({ db, store }, nowMs)).toBe(2)
  expect(await sweepCaches({ db, store }, nowMs)).toBe(0)
  await store.close()
  expect(await readdir(root)).toEqual([team.id])
  expect(await readdir(join(root, team.id))).toEqual([kept])
  expect(await readdir(join(root, team.id, kept))).toEqual(['production'])
  await sweepCaches({ db, store }, nowMs + 31 * dayMs)
  await store.close()
  expect(await readdir(root)).toEqual([])
})
