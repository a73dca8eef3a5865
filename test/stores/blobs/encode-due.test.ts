import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepStray } from '../../../src/platform/deployments/garbage/stray-objects.ts'
import { collectBlobs, collectManifests } from '../../../src/platform/deployments/garbage/unreferenced.ts'
import { insertManifest } from '../../../src/platform/sites/manifest.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { encodeDue } from '../../../src/stores/blobs/encode-due.ts'
import { claimDue, recordForms, release } from '../../../src/stores/blobs/encode-queue.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startOwnNode } from '../db/own-node.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

afterAll(() => node.stop())

const minuteMs = 60_000

/** No object remains that no row refers to. */
const removed = { days: 0, maxBytes: 0 }

type Changes = { blobs?: BlobStore; aheadMs?: number; stopping?: AbortSignal }

const next = ({ blobs = node.installation.blobs, aheadMs = 0, stopping }: Changes = {}) =>
  encodeDue({
    db: node.installation.store.db,
    blobs,
    nowMs: () => Date.now() + aheadMs,
    stopping: stopping ?? new AbortController().signal,
  })

async function encodeAll(): Promise<number> {
  let rounds = 0
  while (await next()) rounds += 1
  return rounds
}

async function rows() {
  return node.installation.store.db.select().from(blobs).where(eq(blobs.teamId, team.id)).orderBy(blobs.id)
}

async function row() {
  const [first] = await rows()
  if (!first) throw new Error('There is no blob.')
  return first
}

async function objects(): Promise<string[]> {
  const all: string[] = []
  for await (const batch of node.installation.blobs.listOlderThan(Number.MAX_SAFE_INTEGER)) all.push(...batch)
  return all.filter((object) => object.startsWith(team.id)).toSorted()
}

/** The objects that the team's rows refer to. */
async function named(): Promise<string[]> {
  const names = (await rows()).flatMap(({ object, brObject, gzipObject }) => [object, brObject, gzipObject])
  return names.filter((name) => name !== null).toSorted()
}

const text = () => `${unique('text')} `.repeat(100)

const deployText = (content = text(), path = 'index.html') => deploy(team, { files: [{ path, content }] })

/** A store whose writes arrive but never return, as for a process that is killed right after them. */
function dyingStore(): BlobStore {
  const { blobs } = node.installation
  return {
    ...blobs,
    async put(...args) {
      await blobs.put(...args)
      return new Promise(() => {})
    },
  }
}

/** Works until `dyingStore` hangs. */
async function dieOver(): Promise<void> {
  const before = (await objects()).length
  let ended: unknown
  next({ blobs: dyingStore() }).then(
    (isMore) => {
      ended = { isMore }
    },
    (error) => {
      ended = error
    },
  )
  await expect.poll(async () => ended ?? (await objects()).length).toBe(before + 1)
}

describe('the blob of a compressible path', () => {
  it('gets both forms, which decompress to its bytes', async () => {
    const content = text()
    await deployText(content)
    expect(await encodeAll()).toBe(1)
    const { brObject, brSize, gzipObject, gzipSize, encodeAfterMs } = await row()
    const [br, gzip] = await Promise.all(
      [brObject, gzipObject].map((each) => node.installation.blobs.read(each ?? '')),
    )
    expect(brotliDecompressSync(br ?? '').toString()).toBe(content)
    expect(gunzipSync(gzip ?? '').toString()).toBe(content)
    expect({ brSize, gzipSize, encodeAfterMs }).toEqual({
      brSize: br?.length,
      gzipSize: gzip?.length,
      encodeAfterMs: null,
    })
  })

  it('gets them once, however often it is deployed', async () => {
    const content = text()
    await deployText(content)
    await deployText(content, 'other.txt')
    expect(await encodeAll()).toBe(1)
    await deployText(content, 'again.js')
    expect(await encodeAll()).toBe(0)
  })

  it('gets them when it gets its first compressible path', async () => {
    const content = text()
    await deployText(content, 'data.bin')
    expect(await encodeAll()).toBe(0)
    await deployText(content, 'data.txt')
    expect(await encodeAll()).toBe(1)
    expect((await row()).brObject).not.toBeNull()
  })

  it('gets none if they would save too little, and is not tried again', async () => {
    const noise = randomBytes(100_000)
    await deploy(team, { files: [{ path: 'noise.txt', content_base64: noise.toString('base64') }] })
    expect(await encodeAll()).toBe(1)
    await deploy(team, { files: [{ path: 'noise.css', content_base64: noise.toString('base64') }] })
    expect(await encodeAll()).toBe(0)
    expect(await row()).toMatchObject({ brObject: null, gzipObject: null, encodeAfterMs: null })
    expect(await objects()).toEqual(await named())
  })
})

it.each([
  ['a tiny file', 'index.html', 'a'.repeat(255)],
  ['an empty file', 'index.html', ''],
  ['a picture', 'photo.png', 'a'.repeat(5_000)],
])('%s is not compressed', async (_, path, content) => {
  await deployText(content, path)
  expect(await encodeAll()).toBe(0)
})

it('a file that is too large is not compressed', async () => {
  await deployText()
  await node.installation.store.db
    .update(blobs)
    .set({ size: 25 * 1024 * 1024 + 1, encodeAfterMs: null })
    .where(eq(blobs.teamId, team.id))
  const [{ id, teamId } = { id: 0, teamId: '' }] = await rows()
  const blob = { id, sha256: 'any', size: 1, object: '', isMarked: false, isUnencoded: true }
  const manifest = { teamId, entries: [{ path: 'large.txt', blob }], rules: null, isServed: true }
  await insertManifest(node.installation.store.db, manifest, Date.now())
  expect(await encodeAll()).toBe(0)
})

it('the latest deployment is compressed first', async () => {
  const { db } = node.installation.store
  await deployText()
  const old = await row()
  await db
    .update(blobs)
    .set({ encodeAfterMs: Date.now() - minuteMs })
    .where(eq(blobs.id, old.id))
  await deployText()
  const [, young] = await rows()
  const claims = [await claimDue(db, 1, Date.now()), await claimDue(db, 1, Date.now())].flat()
  expect(claims.map(({ id }) => id)).toEqual([young?.id, old.id])
  await release(db, claims, Date.now())
  await encodeAll()
})

describe('several workers at once', () => {
  it('share the work, and do none of it twice', async () => {
    const files = Array.from({ length: 70 }, (_, i) => ({ path: `${i}.txt`, content: text() }))
    await deploy(team, { files })
    let puts = 0
    const counting: BlobStore = {
      ...node.installation.blobs,
      put(...args) {
        puts += 1
        return node.installation.blobs.put(...args)
      },
    }
    const work = async () => {
      while (await next({ blobs: counting }));
    }
    await Promise.all([work(), work(), work()])
    expect(puts).toBe(140)
    for (const each of await rows()) expect(each).toMatchObject({ encodeAfterMs: null, encodeAttempts: 1 })
  })
})

it('a concurrent deployment of the same blobs never fails', async () => {
  const { db } = node.installation.store
  await deploy(team, { files: [1, 2].map((i) => ({ path: `${i}.txt`, content: text() })) })
  const claims = (await claimDue(db, 2, Date.now())).toSorted((a, b) => b.id - a.id)
  const [high, low] = claims.map(({ id }) => eq(blobs.id, id))
  let recording: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.select().from(blobs).where(low).for('no key update')
    recording = recordForms(
      db,
      claims.map((claim) => ({ claim, forms: {} })),
    )
    await sleep(100)
    await tx.select().from(blobs).where(high).for('no key update')
  })
  expect(await recording).toEqual(new Set(claims.map(({ id }) => id)))
})

describe('a worker that dies in the middle', () => {
  it('leaves nothing that is served, and the blob to others once its lease expires', async () => {
    const content = text()
    const { url } = await deployText(content)
    await dieOver()
    expect(await row()).toMatchObject({ brObject: null, gzipObject: null })
    expect((await visit(url)).body).toBe(content)
    expect(await next()).toBe(false)
    expect(await next({ aheadMs: 4 * minuteMs })).toBe(false)
    expect(await next({ aheadMs: 6 * minuteMs })).toBe(true)
    expect(await row()).toMatchObject({
      brObject: expect.any(String),
      encodeAfterMs: null,
      encodeAttempts: 2,
    })
  })

  it('leaves stray files, which are swept while recorded ones stay', async () => {
    await deployText()
    await dieOver()
    await next({ aheadMs: 6 * minuteMs })
    expect(await objects()).toHaveLength(4)
    const { store, blobs } = node.installation
    await sweepStray({ db: store.db, blobs, nowMs: Date.now() + 61 * minuteMs }, removed)
    expect(await objects()).toEqual(await named())
    expect(await objects()).toHaveLength(3)
  })

  it('over the same blob each time makes the blob given up in the end', async () => {
    await deployText()
    let aheadMs = 0
    for (let i = 0; i < 8; i += 1) {
      next({ blobs: dyingStore(), aheadMs }).catch(() => {})
      const attempts = i + 1
      await expect.poll(async () => (await row()).encodeAttempts).toBe(attempts)
      aheadMs += 6 * minuteMs
    }
    expect(await next({ aheadMs })).toBe(true)
    expect(await row()).toMatchObject({ encodeAfterMs: null, brObject: null })
    expect(await next({ aheadMs: aheadMs * 10 })).toBe(false)
  })
})

describe('a late worker', () => {
  /** Starts the work, runs `meanwhile` before its last write ends, and waits for it. */
  async function lateOver(meanwhile: () => Promise<unknown>, changes: Changes = {}): Promise<void> {
    const { blobs } = node.installation
    let puts = 0
    const slow: BlobStore = {
      ...blobs,
      async put(...args) {
        const object = await blobs.put(...args)
        puts += 1
        if (puts === 2) await meanwhile()
        return object
      },
    }
    await next({ ...changes, blobs: slow })
  }

  it('records nothing and leaves nothing when another worker did it meanwhile', async () => {
    await deployText()
    await lateOver(() => next({ aheadMs: 6 * minuteMs }))
    expect((await row()).encodeAttempts).toBe(2)
    expect(await objects()).toEqual(await named())
    expect(await objects()).toHaveLength(3)
  })

  it('leaves nothing of a blob that was collected meanwhile', async () => {
    const { id } = await deployText()
    const { store, blobs } = node.installation
    await lateOver(async () => {
      await team.owner('DELETE', `/v1/deployments/${id}`)
      const deps = { db: store.db, blobs, nowMs: Date.now() }
      while (await collectManifests(deps));
      while (await collectBlobs({ ...deps, nowMs: deps.nowMs + 1 }));
    })
    expect(await rows()).toEqual([])
    expect(await objects()).toEqual([])
  })

  it('records nothing once its lease has expired, though no other worker took it', async () => {
    await deployText()
    let aheadMs = 0
    const { store, blobs } = node.installation
    const slow: BlobStore = {
      ...blobs,
      async put(...args) {
        aheadMs = 6 * minuteMs
        return blobs.put(...args)
      },
    }
    const { signal } = new AbortController()
    await encodeDue({ db: store.db, blobs: slow, nowMs: () => Date.now() + aheadMs, stopping: signal })
    expect(await row()).toMatchObject({ brObject: null, encodeAfterMs: expect.any(Number) })
    expect(await objects()).toEqual(await named())
    await next({ aheadMs })
  })
})

describe('a failure', () => {
  it('is logged, leaves nothing, and is retried after a minute, then two', async () => {
    await deployText()
    const { blobs } = node.installation
    const full: BlobStore = { ...blobs, put: () => Promise.reject(new Error('full')) }
    await expect(next({ blobs: full })).rejects.toThrow('full')
    expect(await next()).toBe(false)
    await expect(next({ blobs: full, aheadMs: 1.1 * minuteMs })).rejects.toThrow('full')
    expect(await next({ aheadMs: 3 * minuteMs })).toBe(false)
    expect(await next({ aheadMs: 3.3 * minuteMs })).toBe(true)
    expect((await row()).brObject).not.toBeNull()
    expect(await objects()).toEqual(await named())
  })

  it('leaves the rest of its round to the next, and keeps what was done before', async () => {
    const files = Array.from({ length: 6 }, (_, i) => ({ path: `${i}.txt`, content: text() }))
    await deploy(team, { files })
    const { blobs } = node.installation
    let puts = 0
    const failing: BlobStore = {
      ...blobs,
      async put(...args) {
        puts += 1
        if (puts === 6) throw new Error('full')
        return blobs.put(...args)
      },
    }
    await expect(next({ blobs: failing })).rejects.toThrow('full')
    const state = async () => (await rows()).map((each) => [each.encodeAttempts, each.brObject !== null])
    expect((await state()).toSorted()).toEqual([
      ...[
        [0, false],
        [0, false],
        [0, false],
        [1, false],
      ],
      ...[
        [1, true],
        [1, true],
      ],
    ])
    expect(await objects()).toEqual(await named())
    await next()
    expect((await state()).filter(([, isDone]) => isDone)).toHaveLength(5)
    await next({ aheadMs: 2 * minuteMs })
    expect((await state()).every(([, isDone]) => isDone)).toBe(true)
  })

  it('of the digest check stores no compressed form', async () => {
    await deployText()
    await deployText()
    const [one, other] = await rows()
    const { blobs } = node.installation
    const mixed: BlobStore = { ...blobs, stream: () => blobs.stream(one?.object ?? '') }
    await expect(next({ blobs: mixed })).rejects.toThrow('SHA-256')
    expect((await rows()).find(({ id }) => id === other?.id)).toMatchObject({
      brObject: null,
      gzipObject: null,
    })
    await encodeAll()
    await next({ aheadMs: 2 * minuteMs })
  })
})

it('a stop ends the work quietly, and leaves the blob to the next worker', async () => {
  await deployText()
  const stopping = new AbortController()
  const { blobs } = node.installation
  const stopped: BlobStore = {
    ...blobs,
    async put(...args) {
      stopping.abort()
      return blobs.put(...args)
    },
  }
  expect(await next({ blobs: stopped, stopping: stopping.signal })).toBe(false)
  expect(await objects()).toEqual(await named())
  expect(await row()).toMatchObject({ encodeAttempts: 0, encodeAfterMs: expect.any(Number) })
  expect(await next()).toBe(true)
  expect((await row()).brObject).not.toBeNull()
})

it('the forms of a blob are collected with it, and never swept before', async () => {
  const { id } = await deployText()
  await encodeAll()
  const { store, blobs } = node.installation
  await sweepStray({ db: store.db, blobs, nowMs: Date.now() + 1_000 * minuteMs }, removed)
  expect(await objects()).toHaveLength(3)
  await team.owner('DELETE', `/v1/deployments/${id}`)
  const deps = { db: store.db, blobs, nowMs: Date.now() }
  while (await collectManifests(deps));
  while (await collectBlobs({ ...deps, nowMs: deps.nowMs + 1 }));
  expect(await objects()).toEqual([])
})

it('claiming work, recording it and sweeping each use their index', async () => {
  const { db } = node.installation.store
  await db.execute(sql`
    insert into blobs (team_id, sha256, size, object, br_object)
    select ${team.id}, 'digest ' || i, 1, ${team.id} || '/' || i, ${team.id} || '/br-' || i
    from generate_series(1, 20000) as i`)
  await db.execute(sql`analyze blobs`)
  const plan = async (query: ReturnType<typeof sql>) =>
    JSON.stringify(await db.execute(sql`explain ${query}`))
  const due = sql`
    select id from blobs where encode_after_ms <= ${1}::bigint order by encode_after_ms desc limit 1`
  expect(await plan(due)).toContain('blobs_to_encode')
  const names = sql`(${'a'}, ${'b'})`
  const swept = await plan(
    sql`
      select object from blobs where object in ${names} or br_object in ${names} or gzip_object in ${names}`,
  )
  for (const index of ['blobs_object_unique', 'blobs_by_br_object', 'blobs_by_gzip_object']) {
    expect(swept).toContain(index)
  }
  await db.delete(blobs).where(eq(blobs.teamId, team.id))
})
