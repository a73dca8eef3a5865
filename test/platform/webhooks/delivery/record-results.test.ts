/** What an attempt changes about its webhook. */
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { recordResults } from '../../../../src/platform/webhooks/delivery/record-results.ts'
import { deliveries, webhooks } from '../../../../src/stores/db/schema/webhooks.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'

const nowMs = 1_000_000

let node: TestNode

beforeAll(async () => {
  // Without a worker, which would send what is recorded here.
  node = await startOwnNode({ SVC_WEBHOOKS_ALLOW_PRIVATE: '1' })
  return () => node.stop()
})

it('a response that took more than two seconds makes it slow, until the next faster one', async () => {
  const { db } = node.installation.store
  const team = await newTeam(node)
  const input = { url: 'http://127.0.0.1:1/hook', events: ['project.created'] }
  const { body: hook } = await team.owner('POST', '/v1/webhooks', input)
  const [ping] = await db.select().from(deliveries).where(eq(deliveries.webhookId, hook.id))

  /** Whether it is slow after this attempt was recorded. */
  async function after(durationMs: number, attempts = ping?.attempts ?? 0): Promise<boolean | undefined> {
    await db.update(deliveries).set({ status: 'pending' }).where(eq(deliveries.webhookId, hook.id))
    const outcome = { status: 'delivered' as const, dueMs: 1, httpStatus: 200, error: null, isGone: false }
    const taken = { isTaken: true, sentTo: null }
    const result = { ...outcome, ...taken, id: ping?.id ?? '', attempts, webhookId: hook.id, durationMs }
    await recordResults(db, [result], nowMs)
    const [row] = await db.select({ slow: webhooks.slow }).from(webhooks).where(eq(webhooks.id, hook.id))
    return row?.slow
  }

  expect(await after(2_000)).toBe(false)
  // Within a second of the last write.
  expect(await after(2_001)).toBe(true)
  expect(await after(9_000)).toBe(true)
  // An attempt that another worker has repeated since counts for nothing.
  expect(await after(5, 7)).toBe(true)
  expect(await after(5)).toBe(false)
})
