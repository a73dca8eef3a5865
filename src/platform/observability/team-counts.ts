/**
 * Counts of a team's resources, at a bounded cost: up to a thousand of a kind are counted in an index at each
 * request; above, the last count is used, which is refreshed once a minute at most.
 */
import { and, type Column, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { createFreshCache, type FreshCache } from '../../stores/cache/fresh-cache.ts'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Scope } from '../callers/scope.ts'
import { type State, stateSchema } from '../deployments/state.ts'

/** Domains by whether they are verified, deployments by state. */
const kinds = ['projects', 'webhooks', 'verified', 'unverified', ...stateSchema.options] as const

type Kind = (typeof kinds)[number]

export type TeamCounts = Record<Kind, number>

/** Up to here a count is always exact. */
const maxCounted = 1_000

const maxAgeMs = 60_000
const maxTeams = 10_000

/** The counts of what the caller sees of the team; those over 1,000 may be a minute old. */
export async function countOfTeam(store: Store, { teamId, projects }: Scope): Promise<TeamCounts> {
  const full = fullCountsOf(store)
  const whose = projects === null ? teamId : `${teamId} ${projects.join(',')}`
  const known = full.peek(whose)?.value
  const counts = oneOf(await countsFor(store.db, whose, wantedBeside(known)))
  const many = kinds.filter((kind) => Math.max(known?.[kind] ?? 0, counts[kind]) > maxCounted)
  if (many.length === 0) return counts
  const all = await full.get(whose)
  for (const kind of many) counts[kind] = Math.max(counts[kind], all[kind])
  return counts
}

/**
 * The counts of a team, or of some of its projects: `whose` is the team's id, followed by a space and theirs,
 * of which there may be none. All of them without `wanted`.
 */
function countsFor(db: Database, whose: string, wanted?: Record<string, boolean>): Promise<TeamCounts[]> {
  const [team, projectIds] = whose.split(' ')
  if (projectIds === undefined) {
    return wanted
      ? firstCounts(db).execute({ teamId: team, ...wanted })
      : fullCounts(db).execute({ teamId: team })
  }
  const ofSome = { teamId: team, projectIds }
  return wanted ? firstOfProjects(db).execute({ ...ofSome, ...wanted }) : fullOfProjects(db).execute(ofSome)
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

/** Which rows of each kind are counted. */
type Owned = Record<'projects' | 'webhooks' | 'domains' | 'deployments', SQL | undefined>

const ofTeam: Owned = {
  projects: eq(projects.teamId, teamId),
  webhooks: eq(webhooks.teamId, teamId),
  domains: eq(domains.teamId, teamId),
  deployments: eq(deployments.teamId, teamId),
}

const isOneOf = (id: Column) => sql`${id} = any(string_to_array(${sql.placeholder('projectIds')}, ','))`

/** Webhooks are the whole team's. */
const ofProjects: Owned = {
  projects: and(ofTeam.projects, isOneOf(projects.id)),
  webhooks: sql`false`,
  domains: and(ofTeam.domains, isOneOf(domains.projectId)),
  deployments: isOneOf(deployments.projectId),
}

/**
 * The query for all counts; reads at most `limit` rows of each kind, and none if it isn't wanted: then it is
 * 0.
 */
function selectCounts(db: Database, owned: Owned, limit: SQL = sql``, isWanted?: (kind: Kind) => SQL) {
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
        and(owned.deployments, eq(deployments.target, target), eq(deployments.state, state)),
      ),
    )
    return sql.join(ofTarget, sql` + `).mapWith(Number)
  }
  return db
    .select({
      projects: count('projects', projects, owned.projects),
      webhooks: count('webhooks', webhooks, owned.webhooks),
      verified: count('verified', domains, and(owned.domains, isNotNull(domains.verifiedMs))),
      unverified: count('unverified', domains, and(owned.domains, isNull(domains.verifiedMs))),
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
const selectFirst = (db: Database, owned: Owned) =>
  selectCounts(
    db,
    owned,
    sql.raw(`limit ${maxCounted + 1}`),
    (kind) => sql`(select ${sql.placeholder(kind)}::boolean)`,
  )

const firstCounts = prepared((db) => selectFirst(db, ofTeam).prepare('first_counts'))
const fullCounts = prepared((db) => selectCounts(db, ofTeam).prepare('full_counts'))
const firstOfProjects = prepared((db) => selectFirst(db, ofProjects).prepare('first_counts_of_projects'))
const fullOfProjects = prepared((db) => selectCounts(db, ofProjects).prepare('full_counts_of_projects'))

const caches = new WeakMap<Store, FreshCache<TeamCounts>>()

/** The last full counts by whose they are, cached by this node. */
function fullCountsOf(store: Store): FreshCache<TeamCounts> {
  const known = caches.get(store)
  if (known) return known
  const load = async (whose: string) => oneOf(await countsFor(store.db, whose))
  const cache = createFreshCache({ load, maxAgeMs, maxEntries: maxTeams })
  caches.set(store, cache)
  return cache
}
