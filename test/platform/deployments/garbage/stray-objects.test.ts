import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { isTooMany, sweepStray } from '../../../../src/platform/deployments/garbage/stray-objects.ts'
import { strayStep } from '../../../../src/roles/worker/sweep-stray-objects.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { createFileBlobStore } from '../../../../src/stores/blobs/file-store.ts'
import { blobs } from '../../../../src/stores/db/schema/blobs.ts'
import { chunks, identityOf } from '../../../stores/blobs/conformance.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const limits = { days: 7, maxBytes: 1_000_000 }

let node: TestNode
let team: TestTeam
let directory: string
let store: BlobStore
const directories: string[] = []

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  directory = await mkdtemp(join(tmpdir(), 'svc-stray-'))
  directories.push(directory)
  store = await createFileBlobStore(directory)
})

afterAll(async () => {
  for (const each of directories) await rm(each, { recursive: true, force: true })
})

const put = (content: string) => store.put(team.id, identityOf(content), chunks(content))
const putMany = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => put(`stray ${at}`)))

/** Inserts rows that refer to the objects. */
const record = (objects: string[]) =>
  node.installation.store.db
    .insert(blobs)
    .values(objects.map((object) => ({ teamId: team.id, sha256: object.slice(-80, -17), size: 1, object })))

const deps = (aheadMs: number) => ({
  db: node.installation.store.db,
  blobs: store,
  nowMs: Date.now() + aheadMs,
})

const kept = async () =>
  (await readdir(join(directory, 'teams'), { recursive: true })).filter((name) => name.includes('/'))

it.each([
  [100, 100, false],
  [101, 1_010, false],
  [101, 1_009, true],
])('classifies %i stray objects of %i as too many: %s', (stray, objects, tooMany) => {
  expect(isTooMany({ stray, objects })).toBe(tooMany)
})

describe('unreferenced objects', () => {
  it('are moved to the trash for days, where they can be restored', async () => {
    const [stray = '', named = '', other = ''] = [await put('stray'), await put('named'), await put('other')]
    await record([named])
    expect(await sweepStray(deps(2 * hourMs), limits)).toEqual({ stray: 2, objects: 3, swept: 2 })
    expect(await kept()).toEqual([named])
    expect(await sweepStray(deps(7 * dayMs), limits)).toMatchObject({ swept: 0 })
    expect((await store.read(stray)).toString()).toBe('stray')
    await sweepStray(deps(10 * dayMs), limits)
    await expect(store.read(other)).rejects.toThrow()
    expect((await store.read(named)).toString()).toBe('named')
  })

  it('stay for an hour, in which an upload may still record them', async () => {
    await put('young')
    const minuteMs = hourMs / 60
    expect(await sweepStray(deps(59 * minuteMs), limits)).toEqual({ stray: 0, objects: 0, swept: 0 })
    expect(await sweepStray(deps(61 * minuteMs), limits)).toEqual({ stray: 1, objects: 1, swept: 1 })
  })

  it('are restored by the next sweep if a row refers to them by then', async () => {
    const object = await put('restored')
    await sweepStray(deps(2 * hourMs), limits)
    expect(await kept()).toEqual([])
    await record([object])
    await sweepStray(deps(30 * dayMs), limits)
    expect(await kept()).toEqual([object])
  })

  it('are removed at once if the trash has no capacity', async () => {
    const object = await put('stray')
    await sweepStray(deps(2 * hourMs), { ...limits, days: 0 })
    await expect(store.read(object)).rejects.toThrow()
  })

  it('all stay, with an error in the log, if too many, until an administrator confirms', async () => {
    await putMany(101)
    const lines: string[] = []
    const left: number[] = []
    const step = strayStep({
      db: node.installation.store.db,
      blobs: store,
      trash: limits,
      stopping: new AbortController().signal,
      log: createLogger({ write: (line) => lines.push(line) }),
      strayLeft: (count) => left.push(count),
    })
    expect(await step(Date.now() + 2 * hourMs)).toBe(0)
    expect(await kept()).toHaveLength(101)
    expect(left).toEqual([101])
    expect(lines.join('')).toContain('"stray":101,"objects":101')
    expect(lines.join('')).toContain('svc admin blobs sweep')

    expect(await sweepStray(deps(2 * hourMs), limits, { evenMany: true })).toMatchObject({ swept: 101 })
    expect(await kept()).toEqual([])
    expect(await step(Date.now() + 2 * hourMs)).toBe(0)
    expect(left).toEqual([101, 0])
  })
})
