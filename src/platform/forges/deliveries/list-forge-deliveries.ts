/** The deliveries of forges to a project's hook, with their outcomes, and those that were refused. */
import { desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { idSchema } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { timeMs } from '../../../stores/db/record-fields.ts'
import { forgeDeliveries, forgeReports } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Scope } from '../../callers/scope.ts'
import { findProjectId } from '../../projects/read-project.ts'
import { listRefusals, type RefusalRecord } from '../refusals/list-refusals.ts'
import { keptDeliveries, maxPending } from './receive.ts'
import { maxWaiting } from './wait-for-approval.ts'

/** A delivery as clients see it. `outcome` is a sentence, null while it waits for its first attempt. */
export const forgeDeliverySchema = z.object({
  id: idSchema('forgeDelivery'),
  event: z.string(),
  status: z.enum(forgeDeliveries.status.enumValues),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  pull_request: z.int().nullable(),
  /** Who approved the commit of a fork. */
  approved_by: idSchema('user').nullable(),
  outcome: z.string().nullable(),
  deployment: idSchema('deployment').nullable(),
  /** Why the forge doesn't know the state of the deployment, in a sentence. */
  report_problem: z.string().nullable(),
  attempts: z.int(),
  received_ms: timeMs,
  ended_ms: timeMs.nullable(),
})

export type ForgeDeliveryRecord = z.infer<typeof forgeDeliverySchema>

/**
 * Those of the project that are kept, newest first, and what was refused since the last right one.
 * @throws AppError `project_not_found`.
 */
export async function listForgeDeliveries(
  { store }: { store: Store },
  scope: Scope,
  reference: string,
): Promise<{ data: ForgeDeliveryRecord[]; refused: RefusalRecord[] }> {
  const projectId = await findProjectId(store.lookUps, scope, reference)
  const deliveries = selectForgeDeliveries(store.db)
    .where(eq(forgeDeliveries.projectId, projectId))
    .orderBy(desc(forgeDeliveries.receivedMs), desc(forgeDeliveries.id))
    // What is open is kept, however old it is.
    .limit(keptDeliveries + maxPending + maxWaiting)
  const [data, refused] = await Promise.all([deliveries, listRefusals(store.db, projectId)])
  return { data, refused }
}

/** The query for deliveries as clients see them. */
export function selectForgeDeliveries(db: Database) {
  return db
    .select({
      id: forgeDeliveries.id,
      event: forgeDeliveries.event,
      status: forgeDeliveries.status,
      branch: forgeDeliveries.branch,
      commit: forgeDeliveries.commit,
      pull_request: forgeDeliveries.pullRequest,
      approved_by: forgeDeliveries.approvedBy,
      outcome: forgeDeliveries.outcome,
      deployment: forgeDeliveries.deploymentId,
      report_problem: forgeReports.problem,
      attempts: forgeDeliveries.attempts,
      received_ms: forgeDeliveries.receivedMs,
      ended_ms: forgeDeliveries.endedMs,
    })
    .from(forgeDeliveries)
    .leftJoin(forgeReports, eq(forgeReports.deploymentId, forgeDeliveries.deploymentId))
}
