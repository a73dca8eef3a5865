/** The current permissions of an API key. */
import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../../../stores/db/prepared.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import { members, teams } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { KeyPrincipal } from '../principal.ts'
import { lowerRole } from '../roles.ts'
import { limitedTo } from './limited-to.ts'

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
      projects: limitedTo,
    })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .innerJoin(members, and(eq(members.teamId, apiKeys.teamId), eq(members.userId, apiKeys.userId)))
    .where(eq(apiKeys.tokenSha256, sql.placeholder('tokenSha256')))
    .prepare('find_key'),
)

/** The key with this hash; undefined if there is none, or its user has left the team. */
export async function findKey(store: Store, tokenSha256: string): Promise<KeyPrincipal | undefined> {
  const [row] = await keyQuery(store.lookUps).execute({ tokenSha256 })
  if (!row) return undefined
  const { keyRole, memberRole, ...rest } = row
  return { kind: 'key', ...rest, role: lowerRole(keyRole, memberRole) }
}
