/** Inserts records of teams. */
import { eq } from 'drizzle-orm'
import { newId } from '../../../src/lib/ids.ts'
import { reverseName } from '../../../src/lib/names/domain-name.ts'
import { changeFamilies } from '../../../src/platform/zones/family.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { records } from '../../../src/stores/db/schema/records.ts'
import type { TestNode } from '../../support/node.ts'

type Given = Pick<typeof records.$inferInsert, 'fqdn' | 'type' | 'value'> &
  Partial<Pick<typeof records.$inferInsert, 'priority' | 'weight' | 'port' | 'ttl'>>

/** Inserts records for a claim; without a notification if it is to be lost. */
export async function addRecords(
  node: TestNode,
  claimId: string,
  given: Given[],
  { isNewsLost = false } = {},
): Promise<void> {
  const { store } = node.installation
  const [claim] = await store.db.select().from(domains).where(eq(domains.id, claimId))
  if (!claim) throw new Error('There is no such claim.')
  const nowMs = Date.now()
  const rows = given.map((each) => ({
    ttl: 300,
    ...each,
    id: newId('record', nowMs),
    teamId: claim.teamId,
    domainId: claim.id,
    reversed: reverseName(each.fqdn),
    createdMs: nowMs,
    updatedMs: nowMs,
  }))
  if (isNewsLost) {
    await store.db.transaction(async (tx) => {
      await changeFamilies(Object.assign(tx, { announce: () => {} }), [claim.registrable], nowMs)
      await tx.insert(records).values(rows)
    })
    return
  }
  await store.transact(async (tx) => {
    await changeFamilies(tx, [claim.registrable], nowMs)
    await tx.insert(records).values(rows)
  })
}
