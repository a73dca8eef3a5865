/** The refusals at a project's hook, by kind, since the last delivery that was right. */
import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../../stores/db/database.ts'
import { timeMs } from '../../../stores/db/record-fields.ts'
import { forgeRefusals } from '../../../stores/db/schema/project-repositories.ts'
import { refusalCauses } from './kinds.ts'

/** `why` ends a sentence that says how many were refused, and since when. */
export const refusalSchema = z.object({
  kind: z.enum(forgeRefusals.kind.enumValues),
  why: z.string(),
  count: z.int(),
  since_ms: timeMs,
  last_ms: timeMs,
})

export type RefusalRecord = z.infer<typeof refusalSchema>

/** By kind, those first that have been refused for the longest time. */
export async function listRefusals(db: Database, projectId: string): Promise<RefusalRecord[]> {
  const rows = await db
    .select({
      kind: forgeRefusals.kind,
      count: forgeRefusals.count,
      since_ms: forgeRefusals.sinceMs,
      last_ms: forgeRefusals.lastMs,
    })
    .from(forgeRefusals)
    .where(eq(forgeRefusals.projectId, projectId))
    .orderBy(asc(forgeRefusals.sinceMs), asc(forgeRefusals.kind))
  return rows.map((row) => ({ ...row, why: refusalCauses[row.kind] }))
}
