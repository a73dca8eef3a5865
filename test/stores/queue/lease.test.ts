/** A claimed row is left to whoever claimed it until its lease ends. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { isLeased } from '../../../src/stores/queue/lease.ts'
import { sharedNode } from '../../support/node.ts'

const forMs = 20_000
const nowMs = Date.UTC(2026, 0, 1)

it.each([
  ['that has ended', -1, false],
  ['that ends now', 0, false],
  ['that ends next', 1, true],
  ['that was taken now', forMs, true],
  ['of a clock that is ahead by as much', 2 * forMs, true],
  ['of a clock that was set back since', 2 * forMs + 1, false],
])('a lease %s: %i ms from now, running: %s', async (_, leftMs, isRunning) => {
  const { db } = (await sharedNode()).installation.store
  const running = isLeased(sql`${nowMs + leftMs}::bigint`, { forMs, nowMs })
  const [row] = await db.select({ running }).from(sql`(select 1) as one`)
  expect(row).toEqual({ running: isRunning })
})
