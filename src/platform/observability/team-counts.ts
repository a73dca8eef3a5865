/**
 * Counts of a team's resources, at a bounded cost: up to a thousand of a kind are counted in an index at each
 * request; above, the last count is used, which is refreshed once a minute at most.
 */
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { createFreshCache, type FreshCache } from '../../stores/cache/fresh-cache.ts'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { type State, stateSchema } from '../deployments/state.ts'

/** Domains by whether they are verified, deployments by state. */
const kinds = ['projects', 'webhooks', 'verified', 'unverified', ...stateSchema.options] as const

type Kind = (typeof kinds)[number]

export type TeamCounts = Record<Kind, number>

/** Up to here a count is always exact. */
const maxCounted = 1_000

const maxAgeMs = 60_000
const maxTeams = 10_000

/** The counts of the team; those over 1,000 may be a minute old. */
export async function countOfTeam(store: Store, teamId: string): Promise<TeamCounts> {
  const full = fullCountsOf(store)
  const known = full.peek(teamId)?.value
  const counts = oneOf(await firstCounts(store.db).execute({ teamId, ...wantedBeside(known) }))
  const many = kinds.filter((kind) => Math.max(known?.[kind] ?? 0, counts[kind]) > maxCounted)
  if (many.length === 0) return counts
  const all = await full.get(teamId)
  for (const kind of many) counts[kind] = Math.max(counts[kind], all[kind])
  return counts
}

/** Which kinds to count: for those that are known to be many, the cached count is used. */
function wantedBeside(known: TeamCounts | undefined): Record<string, boolean> {
  return Object.fromEntries(kinds.map((kind) => [kind, (known?.[kind] ?? 0) <= maxCounted]))
}

function oneOf([counts]: TeamCounts[]): TeamCounts {
  if (!counts) throw new Error('A count returned no row.')
  return counts
}

const teamId = sql.placeholder('teamId')

/**
 * The query for all counts; reads at most `limit` rows of each kind, and none if it isn't wanted: then it is
 * 0.
 */
function selectCounts(db: Database, limit: SQL = sql``, isWanted?: (kind: Kind) => SQL) {
  const count = (kind: Kind, table: PgTable, condition: SQL | undefined) => {
    const where = and(condition, isWanted?.(kind))
    return sql`(select count(*) from (select 1 from ${table} where ${where} ${limit}) as first)`.mapWith(
      Number,
    )
  }
  // In their index they are also ordered by target.
  const ofState = (state: State) => {
    const ofTarget = deployments.target.enumValues.map((target) =>
      count(
        state,
        deployments,
        and(eq(deployments.teamId, teamId), eq(deployments.target, target), eq(deployments.state, state)),
      ),
    )
    return sql.join(ofTarget, sql` + `).mapWith(Number)
  }
  const ofTeam = eq(domains.teamId, teamId)
  return db
    .select({
      projects: count('projects', projects, eq(projects.teamId, teamId)),
      webhooks: count('webhooks', webhooks, eq(webhooks.teamId, teamId)),
      verified: count('verified', domains, and(ofTeam, isNotNull(domains.verifiedMs))),
      unverified: count('unverified', domains, and(ofTeam, isNull(domains.verifiedMs))),
      queued: ofState('queued'),
      building: ofState('building'),
      ready: ofState('ready'),
      error: ofState('error'),
      canceled: ofState('canceled'),
    })
    .from(sql`(values (1)) as one`)
}

// A literal limit: for a parameter the planner would assume a tenth of the table. `wanted` is a subquery that
// the planner doesn't inline: otherwise it would plan anew each time.
const firstCounts = prepared((db) =>
  selectCounts(
    db,
    sql.raw(`limit ${maxCounted + 1}`),
    (kind) => sql`(select ${sql.placeholder(kind)}::boolean)`,
  ).prepare('first_counts'),
)

const fullCounts = prepared((db) => selectCounts(db).prepare('full_counts'))

const caches = new WeakMap<Store, FreshCache<TeamCounts>>()

/** The last full counts by team, cached by this node. */
function fullCountsOf(store: Store): FreshCache<TeamCounts> {
  const known = caches.get(store)
  if (known) return known
  const load = async (team: string) => oneOf(await fullCounts(store.db).execute({ teamId: team }))
  const cache = createFreshCache({ load, maxAgeMs, maxEntries: maxTeams })
  caches.set(store, cache)
  return cache
}
