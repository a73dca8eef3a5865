/**
 * How much a team has of what may be much, at a cost that doesn't grow with it: up to a thousand of a kind are counted in an
 * index at each request; of one with more the last count is used, which is taken once a minute at most.
 */
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { createFreshCache, type FreshCache } from '../cache/fresh-cache.ts'
import type { Database } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { domains } from '../db/schema/domains.ts'
import { deployments, projects } from '../db/schema/projects.ts'
import { webhooks } from '../db/schema/webhooks.ts'
import type { Store } from '../db/store.ts'
import { type State, stateSchema } from '../deployments/state.ts'

/** Domains by whether they are verified, deployments by their states. */
const kinds = ['projects', 'webhooks', 'verified', 'unverified', ...stateSchema.options] as const

type Kind = (typeof kinds)[number]

export type TeamCounts = Record<Kind, number>

/** Up to here a count is exact at any moment. */
const maxCounted = 1_000

const maxAgeMs = 60_000
const maxTeams = 10_000

/** What the team has; a number over 1,000 may be a minute old. */
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

/** Which kinds to count, by their names: of those that are known to be many, the known number is as good as another. */
function wantedBeside(known: TeamCounts | undefined): Record<string, boolean> {
  return Object.fromEntries(kinds.map((kind) => [kind, (known?.[kind] ?? 0) <= maxCounted]))
}

function oneOf([counts]: TeamCounts[]): TeamCounts {
  if (!counts) throw new Error('A count returned no row.')
  return counts
}

const teamId = sql.placeholder('teamId')

/** The query for all counts; of each kind `limit` rows at most are read, and none where it isn't wanted: then it is 0. */
function selectCounts(db: Database, limit: SQL = sql``, isWanted?: (kind: Kind) => SQL) {
  const count = (kind: Kind, table: PgTable, condition: SQL | undefined) => {
    const where = and(condition, isWanted?.(kind))
    return sql`(select count(*) from (select 1 from ${table} where ${where} ${limit}) as first)`.mapWith(
      Number,
    )
  }
  // In their index they stand by their targets, too.
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

// The limit stands in the text, because of a parameter the planner would guess that it is a tenth of the table. What is
// wanted is a query of its own, which the planner doesn't look into: it would plan anew each time to leave out the rest.
const firstCounts = prepared((db) =>
  selectCounts(
    db,
    sql.raw(`limit ${maxCounted + 1}`),
    (kind) => sql`(select ${sql.placeholder(kind)}::boolean)`,
  ).prepare('first_counts'),
)

const fullCounts = prepared((db) => selectCounts(db).prepare('full_counts'))

const caches = new WeakMap<Store, FreshCache<TeamCounts>>()

/** The last full counts by team, kept by this node. */
function fullCountsOf(store: Store): FreshCache<TeamCounts> {
  const known = caches.get(store)
  if (known) return known
  const load = async (team: string) => oneOf(await fullCounts(store.db).execute({ teamId: team }))
  const cache = createFreshCache({ load, maxAgeMs, maxEntries: maxTeams })
  caches.set(store, cache)
  return cache
}
