/** Detaches a project from its domains. */
import { eq } from 'drizzle-orm'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { changeFamilies } from '../family.ts'

/** Detaches all domains of a project, whose row must be locked so that none is attached meanwhile. */
export async function detachProject(tx: Transaction, projectId: string, nowMs: number): Promise<void> {
  const ofProject = eq(domains.projectId, projectId)
  const families = await tx.selectDistinct({ name: domains.registrable }).from(domains).where(ofProject)
  if (families.length === 0) return
  await changeFamilies(
    tx,
    families.map(({ name }) => name),
    nowMs,
  )
  await tx.update(domains).set({ projectId: null, updatedMs: nowMs }).where(ofProject)
}
