/** The API keys of a team, as far as a caller sees them. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { afterCursor, type Page, pageOf } from '../../stores/db/page.ts'
import { keyProjects } from '../../stores/db/schema/key-projects.ts'
import { apiKeys } from '../../stores/db/schema/keys.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { teams, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { KeyDetails, KeyRecord } from './credential-output.ts'
import { scopedKeyOf } from './key-limits/limits.ts'
import type { Principal, Role } from './principal.ts'
import { isSeen } from './scope.ts'

type PageOfKeys = { limit: number; cursor?: string | undefined }

const recordColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  team: teams.slug,
  role: apiKeys.role,
  created_ms: apiKeys.createdMs,
  last_used_ms: apiKeys.lastUsedMs,
}

/** The team's keys, newest first: owners see all of them, members their own `member` keys. */
export async function listKeys(
  { db }: Store,
  principal: Principal,
  { limit, cursor }: PageOfKeys,
): Promise<Page<KeyRecord>> {
  const rows = await db
    .select(recordColumns)
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(onPage(principal, cursor))
    .orderBy(desc(apiKeys.createdMs), desc(apiKeys.id))
    .limit(limit + 1)
  return pageOf(rows, limit, (row) => [row.created_ms, row.id])
}

/** The same keys with whose they are and what they are limited to, of projects those that the caller sees. */
export async function listKeyDetails(
  { store: { db }, nowMs }: { store: Store; nowMs: () => number },
  principal: Principal,
  { limit, cursor }: PageOfKeys,
): Promise<Page<KeyDetails>> {
  const rows = await db
    .select({
      ...recordColumns,
      created_by: apiKeys.userId,
      created_by_name: sql<string>`(
        select ${users.name} from ${users} where ${users.id} = ${apiKeys.userId})`,
      expires_ms: apiKeys.expiresMs,
      read_only: apiKeys.readOnly,
      projects: projectNames(principal),
    })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(onPage(principal, cursor))
    .orderBy(desc(apiKeys.createdMs), desc(apiKeys.id))
    .limit(limit + 1)
  const now = nowMs()
  const details = rows.map((row) => ({ ...row, expired: row.expires_ms !== null && row.expires_ms <= now }))
  return pageOf(details, limit, (row) => [row.created_ms, row.id])
}

function onPage(principal: Principal, cursor: string | undefined): SQL | undefined {
  const isLater = afterCursor('key', cursor, apiKeys.createdMs, apiKeys.id)
  return and(visibleKeys(principal, principal.role), isLater)
}

function projectNames(principal: Principal) {
  const seen = isSeen(principal, projects.id)
  return sql<string[] | null>`case when ${apiKeys}.limited then (
    select coalesce(json_agg(${projects.name} order by ${projects.name}), '[]')
    from ${keyProjects} join ${projects} on ${projects.id} = ${keyProjects.projectId}
    where ${keyProjects.keyId} = ${apiKeys.id}${seen ? sql` and ${seen}` : sql``})
  end`
}

/**
 * The condition for the keys that a caller with this role sees: a key that is limited to some projects sees
 * itself alone.
 */
export function visibleKeys(principal: Principal, role: Role): SQL | undefined {
  const ofTeam = eq(apiKeys.teamId, principal.teamId)
  const scopedKey = scopedKeyOf(principal)
  if (scopedKey !== undefined) return and(ofTeam, eq(apiKeys.id, scopedKey))
  if (role === 'owner') return ofTeam
  return and(ofTeam, eq(apiKeys.userId, principal.userId), eq(apiKeys.role, sql`'member'`))
}
