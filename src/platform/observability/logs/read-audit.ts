/** Audit events of a team as log lines. */
import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { events } from '../../../stores/db/schema/events.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import { projects } from '../../../stores/db/schema/projects.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import { auditMessage } from '../../../stores/events/audit-message.ts'
import { shownData } from '../../../stores/events/ping-data.ts'
import type { Scope } from '../../callers/scope.ts'
import { alsoOfProject, eachProject, isOfTeam, narrowest, sharedBy } from './lines.ts'
import { type Reader, seesAddressOf } from './reader.ts'
import type { LogFilters, LogRow, Look, Stretch } from './row.ts'

/** How many events a search for a part of their message scans, which is formatted only here. */
const maxSearched = { near: 200, far: 1_000 }

/** The events that the caller sees and that match every filter, of at most 200 or 1,000 scanned for a `q`. */
export async function readAudit(
  db: Database,
  reader: Reader,
  filters: LogFilters,
  look: Look,
): Promise<Stretch> {
  const searched = filters.q === undefined ? look.count : sharedBy(reader, maxSearched[look.reach])
  const found = await auditQuery(db, reader, filters, { ...look, count: searched })
  const last = found.at(-1)
  const wanted = filters.q?.toLowerCase() ?? ''
  return {
    rows: found
      .map((row) => toRow(reader, row))
      .filter(({ message }) => message.toLowerCase().includes(wanted)),
    end: last && [last.timeMs, last.id],
    more: found.length === searched,
  }
}

/**
 * The names that they have now, looked up for the rows found, whatever the planner thinks of these tables.
 * Only a key of the event's own team has one.
 */
const actorName = sql<string | null>`(
  select ${users.name} from ${users} where ${users.id} = ${events.actorId})`
const keyName = sql<string | null>`(
  select ${apiKeys.name} from ${apiKeys} where ${apiKeys.id} = ${events.keyId}
    and ${apiKeys.teamId} is not distinct from ${events.teamId})`

/** The query for `count` events that match all filters but `q`. Selects them from an index alone. */
export function auditQuery(
  db: Database,
  scope: Scope,
  filters: LogFilters,
  { order, after, count }: Omit<Look, 'reach'>,
) {
  const { teamId } = scope
  const { since_ms, until_ms } = filters
  const direction = order === 'asc' ? asc : desc
  const inOrder = [direction(events.createdMs), direction(events.id)]
  const beyond = order === 'asc' ? sql`>` : sql`<`
  const matching = and(
    narrowest(db, scope, events, filters),
    since_ms === undefined ? undefined : gte(events.createdMs, since_ms),
    until_ms === undefined ? undefined : lt(events.createdMs, until_ms),
    after && sql`(${events.createdMs}, ${events.id}) ${beyond} (${after[0]}::bigint, ${after[1]}::text)`,
  )
  // A literal limit: for a parameter the planner would assume a tenth of the table.
  const first = sql`order by ${sql.join(inOrder, sql`, `)} limit ${sql.raw(String(count))}`
  const ids =
    scope.projects !== null
      ? sql`
      select each.id from (select) as once${eachProject(scope, filters)} cross join lateral (
        select ${events.id}, ${events.createdMs} from ${events} where ${matching} ${first}
      ) as each
      order by each.created_ms ${sql.raw(order)}, each.id ${sql.raw(order)} limit ${sql.raw(String(count))}`
      : sql`select ${events.id} from ${events} where ${matching} ${first}`
  const found = sql`${events.id} = any(array(${ids}))`
  return db
    .select({
      id: events.id,
      timeMs: events.createdMs,
      type: events.type,
      project: projects.name,
      deployment: events.deploymentId,
      actor: events.actorId,
      actor_name: actorName,
      key: events.keyId,
      key_name: keyName,
      address: events.address,
      requestId: events.requestId,
      data: events.data,
    })
    .from(events)
    .leftJoin(projects, and(eq(projects.id, events.projectId), isOfTeam(projects.teamId, teamId)))
    .where(
      and(found, isOfTeam(events.teamId, teamId), ...alsoOfProject(db, scope, events.projectId, filters)),
    )
    .orderBy(...inOrder)
}

type Found = Awaited<ReturnType<typeof auditQuery>>[number]

function toRow(reader: Reader, { id, timeMs, project, deployment, requestId, ...fields }: Found): LogRow {
  const { type, data: stored, ...by } = fields
  const data = shownData(type, stored)
  const address = seesAddressOf(reader, by.actor) ? by.address : null
  return {
    id,
    time_ms: timeMs,
    kind: 'audit',
    level: 'info',
    message: auditMessage(type, data),
    project,
    deployment,
    fields: { type, ...by, address, request_id: requestId, data },
  }
}
