/** What forges sent to a project's hook, and what came of it. */
import { desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { idSchema } from '../../../lib/ids.ts'
import { timeMs } from '../../../stores/db/record-fields.ts'
import { forgeDeliveries, forgeReports } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Scope } from '../../auth/scope.ts'
import { findProjectId } from '../../projects/read.ts'
import { keptDeliveries } from './receive.ts'

/** A delivery as clients see it. `outcome` is a sentence, null while it waits for its first attempt. */
export const forgeDeliverySchema = z.object({
  id: idSchema('forgeDelivery'),
  event: z.string(),
  status: z.enum(forgeDeliveries.status.enumValues),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  pull_request: z.int().nullable(),
  outcome: z.string().nullable(),
  deployment: idSchema('deployment').nullable(),
  /** Why the forge doesn't know the state of the deployment, in a sentence. */
  report_problem: z.string().nullable(),
  attempts: z.int(),
  received_ms: timeMs,
  ended_ms: timeMs.nullable(),
})

export type ForgeDeliveryRecord = z.infer<typeof forgeDeliverySchema>

/** Those of the project that are kept, newest first. @throws AppError `project_not_found`. */
export async function listForgeDeliveries(
  { store }: { store: Store },
  scope: Scope,
  reference: string,
): Promise<{ data: ForgeDeliveryRecord[] }> {
  const projectId = await findProjectId(store.lookUps, scope, reference)
  const data = await store.db
    .select({
      id: forgeDeliveries.id,
      event: forgeDeliveries.event,
      status: forgeDeliveries.status,
      branch: forgeDeliveries.branch,
      commit: forgeDeliveries.commit,
      pull_request: forgeDeliveries.pullRequest,
      outcome: forgeDeliveries.outcome,
      deployment: forgeDeliveries.deploymentId,
      report_problem: forgeReports.problem,
      attempts: forgeDeliveries.attempts,
      received_ms: forgeDeliveries.receivedMs,
      ended_ms: forgeDeliveries.endedMs,
    })
    .from(forgeDeliveries)
    .leftJoin(forgeReports, eq(forgeReports.deploymentId, forgeDeliveries.deploymentId))
    .where(eq(forgeDeliveries.projectId, projectId))
    .orderBy(desc(forgeDeliveries.receivedMs), desc(forgeDeliveries.id))
    .limit(keptDeliveries)
  return { data }
}
