/** The current permissions of an API key. */
import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../../../stores/db/prepared.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import { members, teams } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { KeyPrincipal } from '../principal.ts'
import { lowerRole } from '../roles.ts'
import { narrowed } from '../scope.ts'
import { keyLimitedTo, limitedTo } from './limited-to.ts'

const keyQuery = prepared((db) =>
  db
    .select({
      keyId: apiKeys.id,
      userId: apiKeys.userId,
      teamId: apiKeys.teamId,
      teamSlug: teams.slug,
      plan: teams.plan,
      prefix: apiKeys.prefix,
      keyRole: apiKeys.role,
      memberRole: members.role,
      memberProjects: limitedTo,
      keyProjects: keyLimitedTo,
      readOnly: apiKeys.readOnly,
      endsMs: apiKeys.expiresMs,
    })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .innerJoin(members, and(eq(members.teamId, apiKeys.teamId), eq(members.userId, apiKeys.userId)))
    .where(eq(apiKeys.tokenSha256, sql.placeholder('tokenSha256')))
    .prepare('find_key'),
)

/** The key with this hash, possibly expired; undefined if there is none, or its user has left the team. */
export async function findKey(store: Store, tokenSha256: string): Promise<KeyPrincipal | undefined> {
  const [row] = await keyQuery(store.lookUps).execute({ tokenSha256 })
  if (!row) return undefined
  const { keyRole, memberRole, memberProjects, keyProjects, readOnly, endsMs, ...rest } = row
  return {
    kind: 'key',
    ...rest,
    role: lowerRole(keyRole, memberRole),
    projects: narrowed(memberProjects, keyProjects),
    keyLimits: { endsMs, isScoped: keyProjects !== null, readOnly },
  }
}
