/** Claims the reports of deployments whose state the forge doesn't know, with a lease. */
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { forgeReports } from '../../../stores/db/schema/project-repositories.ts'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import { teams } from '../../../stores/db/schema/teams.ts'
import { isLeased } from '../../../stores/queue/lease.ts'

/** Longer than all requests of a report: it expires only if the sender died. */
const reportLeaseMs = 120_000

const claimed = {
  id: forgeReports.deploymentId,
  projectId: forgeReports.projectId,
  commit: forgeReports.commit,
  pullRequest: forgeReports.pullRequest,
  reported: forgeReports.reported,
  attempts: forgeReports.attempts,
  state: deployments.state,
  host: deployments.host,
  meta: deployments.meta,
  project: projects.name,
  team: teams.slug,
}

/** A claimed report, with what the deployment is by now; `attempts` counts this one. */
export type ReportJob = {
  id: string
  projectId: string
  commit: string
  pullRequest: number | null
  reported: string | null
  attempts: number
  state: (typeof deployments.$inferSelect)['state']
  host: string
  meta: Record<string, string>
  project: string
  team: string
}

type Claim = { worker: string; limit: number; nowMs: number }

/** At most `limit` that are due, one a project: two at once could write two comments. */
export async function claimReports(db: Database, { worker, limit, nowMs }: Claim): Promise<ReportJob[]> {
  const isClaimed = (table: SQL) => isLeased(sql`${table}.lease_ms`, { forMs: reportLeaseMs, nowMs })
  const due = sql`(
    select distinct on (waiting.project_id) waiting.deployment_id
    from ${forgeReports} as waiting
    where waiting.open and waiting.due_ms <= ${nowMs}::bigint
      -- Each looked up by its id, however many deployments there are.
      and waiting.reported is distinct from (
        select ${reportedAs(sql`made.state`)} from ${deployments} as made
        where made.id = waiting.deployment_id)
      and not exists (
        select from ${forgeReports} as other
        where other.open and other.project_id = waiting.project_id and ${isClaimed(sql`other`)})
    order by waiting.project_id, waiting.due_ms
    limit ${limit}::int)`
  const locked = sql`array(select deployment_id from ${forgeReports} as taken
    where deployment_id in ${due} and taken.open and not ${isClaimed(sql`taken`)}
    for update skip locked)`
  const held = await db
    .update(forgeReports)
    .set({ worker, leaseMs: nowMs + reportLeaseMs, attempts: sql`${forgeReports.attempts} + 1` })
    .where(sql`${forgeReports.deploymentId} = any(${locked})`)
    .returning({ id: forgeReports.deploymentId })
  return held.length === 0
    ? []
    : readJobs(
        db,
        held.map(({ id }) => id),
      )
}

function readJobs(db: Database, ids: string[]): Promise<ReportJob[]> {
  return db
    .select(claimed)
    .from(forgeReports)
    .innerJoin(deployments, eq(deployments.id, forgeReports.deploymentId))
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .innerJoin(teams, eq(teams.id, projects.teamId))
    .where(inArray(forgeReports.deploymentId, ids))
}

/** The forges' word for a state. */
function reportedAs(state: SQL): SQL {
  return sql`(case ${state} when 'queued' then 'pending' when 'building' then 'pending'
    when 'ready' then 'success' else 'failure' end)`
}
