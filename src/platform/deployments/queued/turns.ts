/** The order of builds: by turns of the teams, so that none waits for everything of another. */
import { eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { deployments } from '../../../stores/db/schema/projects.ts'
import { teams } from '../../../stores/db/schema/teams.ts'

// Names are literal: Drizzle omits the table of columns in a query of one table.
const isWaiting = sql`state = 'queued' and source_manifest_id is not null`

const inTurns = (queued: SQL) => sql`(
  select waiting.id, row_number() over (order by waiting.turn + coalesce(busy.builds, 0), waiting.turn,
    team.build_begun_ms, waiting.created_ms, waiting.id) as place
  from (
    select id, team_id, created_ms, row_number() over (partition by team_id order by created_ms, id) as turn
    from ${queued} as queued) as waiting
  join ${teams} as team on team.id = waiting.team_id
  left join (
    select team_id, count(*) as builds from ${deployments} where state = 'building' group by team_id
  ) as busy on busy.team_id = waiting.team_id)`

/**
 * The first `most` queued deployments of each team, in one index step per team, with `place` from 1 on. The
 * team with the fewest builds comes first, including running ones; then the team whose last build began
 * longest ago, as it would be once all before have begun. So while others wait no team gets more than its
 * share.
 */
export const firstTurns = (most: SQL | number) =>
  inTurns(sql`(
    with recursive queuing (id) as (
      select min(team_id) from ${deployments} where state = 'queued'
      union all
      select (select min(team_id) from ${deployments} where state = 'queued' and team_id > queuing.id)
      from queuing where queuing.id is not null
    )
    select first.id, team_id, created_ms from queuing cross join lateral (
      select id, team_id, created_ms from ${deployments} where ${isWaiting} and team_id = queuing.id
      order by created_ms, id limit ${most}::int) as first)`)

/** The queued and running builds of a team: no more of any other team precede its last one. */
const ownBuilds = (teamId: string | Placeholder) => sql`(
  (select count(*) from ${deployments} where team_id = ${teamId} and state = 'queued') +
  (select count(*) from ${deployments} where team_id = ${teamId} and state = 'building'))`

/**
 * The place of a deployment of this team: 1 for the next one, null unless queued. The queue is read only if
 * there are such rows, then once for all of them, and of each team no further than the place of the last.
 */
export const queuePositionIn = (teamId: string | Placeholder) =>
  sql<number | null>`case when deployments.state = 'queued' then (
    with line as materialized ${firstTurns(ownBuilds(teamId))}
    select place from line where line.id = deployments.id) end`.mapWith((place: unknown) =>
    place === null ? null : Number(place),
  )

/** The position of one deployment, also of one that the transaction has just inserted. */
export async function findQueuePosition(tx: Database, teamId: string, id: string): Promise<number | null> {
  const [row] = await tx
    .select({ queuePosition: queuePositionIn(teamId) })
    .from(deployments)
    .where(eq(deployments.id, id))
  return row?.queuePosition ?? null
}

/**
 * Records that builds of these teams have begun, in the order of the ids, since another worker may do the
 * same.
 */
export async function noteTurns(tx: Database, teamIds: string[], nowMs: number): Promise<void> {
  await tx.execute(sql`
    update ${teams} set build_begun_ms = ${nowMs} from (
      select id from ${teams} where id in ${teamIds} order by id for no key update) as served
    where served.id = teams.id`)
}

/**
 * Locks the team, so that its queued deployments are counted exactly.
 * @throws AppError `too_many_queued` if it has `most` already.
 */
export async function checkQueue(tx: Database, teamId: string, most: number): Promise<void> {
  await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, teamId)).for('no key update')
  const waiting = await tx.$count(
    deployments,
    sql`${deployments.teamId} = ${teamId} and ${deployments.state} = 'queued'`,
  )
  if (waiting < most) return
  throw new AppError(
    'too_many_queued',
    `${waiting} deployments of the team are queued, the maximum. ` +
      'Wait until a build has begun, or cancel some.',
  )
}
