/** The events of a team as lines of its log: who did what. */
import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { events } from '../../db/schema/events.ts'
import { projects } from '../../db/schema/projects.ts'
import { auditMessage } from './audit-message.ts'
import { projectFilter } from './lines.ts'
import type { LogFilters, LogRow, Look, Stretch } from './row.ts'

/** How many events are looked at for a part of their message, which is made only here. */
const maxSearched = 1_000

/** The events that match every filter, of at most 1,000 that are looked at where there is a `q`. */
export async function readAudit(
  db: Database,
  teamId: string,
  filters: LogFilters,
  look: Look,
): Promise<Stretch> {
  const searched = filters.q === undefined ? look.count : maxSearched
  const found = await auditQuery(db, teamId, filters, { ...look, count: searched })
  const last = found.at(-1)
  const wanted = filters.q?.toLowerCase() ?? ''
  return {
    rows: found.map(toRow).filter(({ message }) => message.toLowerCase().includes(wanted)),
    end: last && [last.timeMs, last.id],
    more: found.length === searched,
  }
}

/** The query for `count` events that match all filters but `q`. */
export function auditQuery(
  db: Database,
  teamId: string,
  { project, deployment, since_ms, until_ms }: LogFilters,
  { order, after, count }: Look,
) {
  const direction = order === 'asc' ? asc : desc
  const beyond = order === 'asc' ? sql`>` : sql`<`
  const conditions: (SQL | undefined)[] = [
    eq(events.teamId, teamId),
    project === undefined ? undefined : eq(events.projectId, projectFilter(db, teamId, project)),
    deployment === undefined ? undefined : eq(events.deploymentId, deployment),
    since_ms === undefined ? undefined : gte(events.createdMs, since_ms),
    until_ms === undefined ? undefined : lt(events.createdMs, until_ms),
    after && sql`(${events.createdMs}, ${events.id}) ${beyond} (${after[0]}::bigint, ${after[1]}::text)`,
  ]
  return db
    .select({
      id: events.id,
      timeMs: events.createdMs,
      type: events.type,
      project: projects.name,
      deployment: events.deploymentId,
      actor: events.actorId,
      key: events.keyId,
      address: events.address,
      requestId: events.requestId,
      data: events.data,
    })
    .from(events)
    .leftJoin(projects, and(eq(projects.id, events.projectId), eq(projects.teamId, teamId)))
    .where(and(...conditions))
    .orderBy(direction(events.createdMs), direction(events.id))
    .limit(count)
}

function toRow({
  id,
  timeMs,
  project,
  deployment,
  requestId,
  ...told
}: Awaited<ReturnType<typeof auditQuery>>[number]): LogRow {
  const { type, actor, key, address, data } = told
  return {
    id,
    time_ms: timeMs,
    kind: 'audit',
    level: 'info',
    message: auditMessage(type, data),
    project,
    deployment,
    fields: { type, actor, key, address, request_id: requestId, data },
  }
}
