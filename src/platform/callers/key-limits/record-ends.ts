/** Writes into the trail that the time of keys is over, once for each. */
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { keyEnds } from '../../../stores/db/schema/key-ends.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import type { Store } from '../../../stores/db/store.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'

const perRound = 100

/** Records up to 100 ends, on whichever node comes first; resolves to how many. */
export async function recordKeyEnds({ store, nowMs }: { store: Store; nowMs: number }): Promise<number> {
  return store.transact(async (tx) => {
    const due = await tx
      .select({ keyId: keyEnds.keyId })
      .from(keyEnds)
      .where(and(eq(keyEnds.step, 'end'), lte(keyEnds.dueMs, nowMs)))
      .orderBy(asc(keyEnds.dueMs))
      .limit(perRound)
      .for('update', { skipLocked: true })
    if (due.length === 0) return 0
    const ids = due.map(({ keyId }) => keyId)
    // With the notice that nobody sent.
    await tx.delete(keyEnds).where(inArray(keyEnds.keyId, ids))
    const ended = await tx
      .select({
        teamId: apiKeys.teamId,
        id: apiKeys.id,
        name: apiKeys.name,
        prefix: apiKeys.prefix,
        role: apiKeys.role,
      })
      .from(apiKeys)
      .where(inArray(apiKeys.id, ids))
      .orderBy(asc(apiKeys.id))
    await recordEvents(
      tx,
      { origin: null, nowMs },
      ended.map(({ teamId, ...key }) => ({ teamId, type: 'key.expired', data: { key } })),
    )
    return ids.length
  })
}
