/** Manifests in memory: read once, and again only while compressed forms are missing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createManifests, type Manifests } from '../../../src/roles/edge/manifests.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite
let id: number
let nowMs: number
let manifests: Manifests

beforeAll(async () => {
  edge = await startEdge()
})

afterAll(() => edge.close())

beforeEach(async () => {
  site = await newSite(edge)
  const deployed = await site.deploy({ 'index.html': 'page '.repeat(100), 'photo.png': 'png' })
  const [row] = await edge.store.db.select().from(deployments).where(eq(deployments.id, deployed.id))
  id = row?.manifestId ?? 0
  nowMs = 0
  manifests = createManifests(edge.store, { now: () => nowMs })
})

afterEach(() => manifests.stop())

/** Lets background work finish. */
const settle = () => sleep(50)

it('is read only once when no form is missing', async () => {
  const manifest = await manifests.get(id, site)
  nowMs = 1e9
  expect(manifests.peek(id)).toBe(manifest)
  await settle()
  expect(await manifests.get(id, site)).toBe(manifest)
  expect(manifests.peek(id)).toBe(manifest)
})

it('is read again while forms are missing, after half a second of use, then one, then two', async () => {
  await site.markBlobs()
  let manifest = await manifests.get(id, site)
  for (const waitMs of [500, 1_000, 2_000]) {
    nowMs += waitMs - 1
    expect(manifests.peek(id)).toBe(manifest)
    await settle()
    expect(manifests.peek(id)).toBe(manifest)
    nowMs += 1
    expect(manifests.peek(id)).toBe(manifest)
    await settle()
    const renewed = manifests.peek(id)
    expect(renewed).toBeDefined()
    expect(renewed).not.toBe(manifest)
    manifest = renewed ?? manifest
  }
})

it('is read one last time when all forms exist, also for requests that wait for it', async () => {
  await site.markBlobs()
  const first = await manifests.get(id, site)
  const manifestSize = first.size
  expect(first.get('index.html')?.encoded?.br).toBeUndefined()
  await site.compress()
  nowMs = 500
  expect((await manifests.get(id, site)).isPending).toBe(true)
  await settle()
  const complete = await manifests.get(id, site)
  expect(complete).toMatchObject({ isPending: false, size: manifestSize + 2 * 150 })
  expect(complete.get('index.html')?.encoded?.br?.size).toBeLessThan(100)
  nowMs = 1e9
  manifests.peek(id)
  await settle()
  expect(manifests.peek(id)).toBe(complete)
})

it('is read again once its project has changed, or changes may have been missed', async () => {
  const manifest = await manifests.get(id, site)
  await (await newSite(edge)).configure({ spa: true })
  expect(manifests.peek(id)).toBe(manifest)
  await site.configure({ spa: true })
  expect(manifests.peek(id)).toBeUndefined()
  const renewed = await manifests.get(id, site)
  expect(renewed).not.toBe(manifest)
  expect(manifests.peek(id)).toBe(renewed)
  edge.store.changes.publishMissed()
  expect(manifests.peek(id)).toBeUndefined()
})

it('of a project that has changed stays in use while it cannot be read again', async () => {
  const manifest = await manifests.get(id, site)
  const { db } = edge.store
  await db.execute(sql`alter table manifest_entries rename to entries_that_are_away`)
  await site.configure({ spa: true })
  expect(await manifests.get(id, site)).toBe(manifest)
  await db.execute(sql`alter table entries_that_are_away rename to manifest_entries`)
  nowMs = 249
  expect(manifests.peek(id)).toBe(manifest)
  nowMs = 250
  expect(manifests.peek(id)).toBeUndefined()
  expect(await manifests.get(id, site)).not.toBe(manifest)
})

it('stays in use while it cannot be read again', async () => {
  await site.markBlobs()
  const manifest = await manifests.get(id, site)
  const { db } = edge.store
  await db.execute(sql`alter table manifest_entries rename to entries_that_are_away`)
  nowMs = 500
  expect(manifests.peek(id)).toBe(manifest)
  await settle()
  expect(await manifests.get(id, site)).toBe(manifest)
  await db.execute(sql`alter table entries_that_are_away rename to manifest_entries`)
  nowMs = 1_500
  manifests.peek(id)
  await settle()
  expect(manifests.peek(id)).not.toBe(manifest)
})
