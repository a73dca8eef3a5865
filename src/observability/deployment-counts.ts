/**
 * How many deployments a team has in each state, at a cost that doesn't grow with them: up to a thousand they are counted
 * in the index at each request; of a state with more the last count is used, which is taken once a minute at most.
 */
import { count, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { deployments } from '../db/schema/projects.ts'
import type { Store } from '../db/store.ts'
import { type State, stateSchema } from '../deployments/state.ts'
import { createFreshCache, type FreshCache } from '../fresh-cache.ts'

export type StateCounts = Record<State, number>

/** Up to here the count of a state is exact at any moment. */
const maxCounted = 1_000

const maxAgeMs = 60_000
const maxTeams = 10_000

/** The team's deployments by state; where there are more than 1,000 the number may be a minute old. */
export async function countDeployments(store: Store, teamId: string): Promise<StateCounts> {
  const first = toCounts(await firstCounts(store.db, teamId))
  if (Object.values(first).every((deployments) => deployments <= maxCounted)) return first
  const all = await fullCountsOf(store).get(teamId)
  const counts = { ...first }
  for (const state of stateSchema.options) {
    if (first[state] > maxCounted) counts[state] = Math.max(first[state], all[state])
  }
  return counts
}

/** The query that counts no further than one past `maxCounted` in each state. */
export function firstCounts(db: Database, teamId: string) {
  const states = sql.join(
    stateSchema.options.map((state) => sql`(${state}::text)`),
    sql`, `,
  )
  // The limit stands in the text, because of a parameter the planner would guess that it is a tenth of the table.
  const counted = sql`(
    select count(*) from (
      select 1 from ${deployments} where ${deployments.teamId} = ${teamId} and ${deployments.state} = states.state
      limit ${sql.raw(String(maxCounted + 1))}
    ) as first)`
  return db
    .select({
      state: sql`states.state`.mapWith((state) => stateSchema.parse(state)),
      deployments: counted.mapWith(Number),
    })
    .from(sql`(values ${states}) as states (state)`)
}

const caches = new WeakMap<Store, FreshCache<StateCounts>>()

/** The last full counts by team, kept by this node. */
function fullCountsOf(store: Store): FreshCache<StateCounts> {
  const known = caches.get(store)
  if (known) return known
  const load = async (teamId: string) => toCounts(await fullCounts(store.db, teamId))
  const cache = createFreshCache({ load, maxAgeMs, maxEntries: maxTeams })
  caches.set(store, cache)
  return cache
}

function fullCounts(db: Database, teamId: string) {
  return db
    .select({ state: deployments.state, deployments: count() })
    .from(deployments)
    .where(eq(deployments.teamId, teamId))
    .groupBy(deployments.state)
}

function toCounts(rows: { state: State; deployments: number }[]): StateCounts {
  const counts = { queued: 0, building: 0, ready: 0, error: 0, canceled: 0 }
  for (const { state, deployments } of rows) counts[state] = deployments
  return counts
}
