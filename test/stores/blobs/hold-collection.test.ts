/** While a backup copies blobs, none is collected; a backup that died holds nobody up for long. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sweepStray } from '../../../src/platform/deployments/garbage/stray-objects.ts'
import { collectBlobs, collectManifests } from '../../../src/platform/deployments/garbage/unreferenced.ts'
import { beginHold, extendHold, holdMs, isHeld } from '../../../src/stores/blobs/hold-collection.ts'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { startOwnNode } from '../db/own-node.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

const db = () => node.installation.store.db
const held = () => db().transaction((tx) => isHeld(tx))
const isHold = eq(turns.task, 'hold the collection of blobs')

/** Moves the end of the hold. */
const move = (ms: number) =>
  db()
    .update(turns)
    .set({ nextMs: sql`${turns.nextMs} + ${ms}` })
    .where(isHold)

beforeEach(() => db().delete(turns).where(isHold))

/** All that a worker does to files, with everything past its time. */
async function collect(): Promise<void> {
  const deps = { db: db(), blobs: node.installation.blobs, nowMs: Date.now() + 1_000 * holdMs }
  while (await collectManifests(deps));
  while (await collectBlobs(deps));
  await sweepStray(deps, { days: 0, maxBytes: 0 })
}

it('keeps the files of a deployment deleted meanwhile from collection and from the trash', async () => {
  const team = await newTeam(node)
  const content = unique('content')
  const { id } = await deploy(team, { files: [{ path: 'index.html', content }] })
  const before = await objects()
  await beginHold(db())
  expect((await team.owner('DELETE', `/v1/deployments/${id}`)).status).toBe(200)
  await collect()
  expect(await objects()).toEqual(before)
  expect((await visit((await deploy(team)).url)).status).toBe(200)
  await db().delete(turns).where(isHold)
  await collect()
  expect(await objects()).not.toEqual(before)
})

async function objects(): Promise<string[]> {
  const all: string[] = []
  for await (const batch of node.installation.blobs.list()) all.push(...batch)
  return all.sort()
}

it('ends by itself, and can’t be extended then: files may be gone', async () => {
  await beginHold(db())
  expect(await held()).toBe(true)
  expect(await extendHold(db())).toBe(true)
  await move(-holdMs)
  expect(await held()).toBe(false)
  expect(await extendHold(db())).toBe(false)
  expect(await held()).toBe(false)
  await beginHold(db())
  expect(await held()).toBe(true)
})

it('is extended from the time of the extension', async () => {
  await beginHold(db())
  await move(-holdMs / 2)
  expect(await extendHold(db())).toBe(true)
  await move(-holdMs / 2)
  expect(await held()).toBe(true)
})

it('does not last when the clock is set back', async () => {
  await beginHold(db())
  await move(10 * holdMs)
  expect(await held()).toBe(false)
  expect(await extendHold(db())).toBe(false)
})

it.runIf(process.env.TEST_ON)('begins once a collection that had begun is committed', async () => {
  let commit: (() => void) | undefined
  const collecting = db().transaction(async (tx) => {
    expect(await isHeld(tx)).toBe(false)
    await new Promise<void>((resolve) => (commit = resolve))
    return 'collected'
  })
  await expect.poll(() => commit).toBeDefined()
  const order: string[] = []
  const holding = beginHold(db()).then(() => order.push('held'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(order).toEqual([])
  commit?.()
  await Promise.all([holding, collecting.then((what) => order.unshift(what))])
  expect(order).toEqual(['collected', 'held'])
})
