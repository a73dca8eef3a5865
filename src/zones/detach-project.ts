/** Detaches a project from its domains. */
import { eq } from 'drizzle-orm'
import type { Change } from '../db/changes.ts'
import type { Database } from '../db/database.ts'
import { domains } from '../db/schema/domains.ts'
import { changeFamilies } from './family.ts'

/** Detaches all domains of a project, whose row must be locked so that none is attached meanwhile. */
export async function detachProject(
  tx: Database,
  announce: (change: Change) => void,
  projectId: string,
  nowMs: number,
): Promise<void> {
  const ofProject = eq(domains.projectId, projectId)
  const families = await tx.selectDistinct({ name: domains.registrable }).from(domains).where(ofProject)
  if (families.length === 0) return
  await changeFamilies(
    tx,
    announce,
    families.map(({ name }) => name),
    nowMs,
  )
  await tx.update(domains).set({ projectId: null, updatedMs: nowMs }).where(ofProject)
}
