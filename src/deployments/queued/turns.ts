/** The order in which deployments are built: by turns of the teams, so that none waits for all that another has sent. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { deployments } from '../../db/schema/projects.ts'
import { teams } from '../../db/schema/teams.ts'
import { AppError } from '../../errors.ts'

// Names stand in the text: of columns Drizzle leaves their table out where a query has but one.
const isWaiting = sql`state = 'queued' and source_manifest_id is not null`

const inTurns = (queued: SQL) => sql`(
  select waiting.id, row_number() over (order by
    waiting.turn + coalesce(busy.builds, 0), waiting.turn, team.build_begun_ms, waiting.created_ms, waiting.id) as place
  from (
    select id, team_id, created_ms, row_number() over (partition by team_id order by created_ms, id) as turn
    from ${queued} as queued) as waiting
  join ${teams} as team on team.id = waiting.team_id
  left join (select team_id, count(*) as builds from ${deployments} where state = 'building' group by team_id) as busy
    on busy.team_id = waiting.team_id)`

/**
 * All that waits, with `place` from 1 on. First comes who would have the fewest builds with it, those under way counted; then
 * the team whose last build began longest ago, as it would be when all before have begun. So while others wait no team gets
 * more than its share of what becomes free.
 */
const turns = inTurns(sql`(select id, team_id, created_ms from ${deployments} where ${isWaiting})`)

/** The same of the first `most` of each team, in one step in the index for each team, however much waits. */
export const firstTurns = (most: number) =>
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

/**
 * 1 for the one that is built next, null where it doesn't wait. Only where there are such rows is the queue read, and then
 * once for all of them.
 */
export const queuePosition = sql<number | null>`case when deployments.state = 'queued' then (
  with line as materialized ${turns} select place from line where line.id = deployments.id) end`.mapWith(
  (place: unknown) => (place === null ? null : Number(place)),
)

/** The position of one deployment, also of one that the transaction has just inserted. */
export async function findQueuePosition(tx: Database, id: string): Promise<number | null> {
  const [row] = await tx.select({ queuePosition }).from(deployments).where(eq(deployments.id, id))
  return row?.queuePosition ?? null
}

/** Takes note that builds of these teams have begun. In the order of the ids, as another worker may do the same. */
export async function noteTurns(tx: Database, teamIds: string[], nowMs: number): Promise<void> {
  await tx.execute(sql`
    update ${teams} set build_begun_ms = ${nowMs} from (
      select id from ${teams} where id in ${teamIds} order by id for no key update) as served
    where served.id = teams.id`)
}

/**
 * Locks the team, so that nobody else has a place in the queue taken at the same time.
 * @throws AppError `too_many_queued` where `most` of its deployments wait already.
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
    `${waiting} deployments of the team wait for their build, and no more may. Wait until one has begun, or cancel some.`,
  )
}
