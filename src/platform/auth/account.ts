/** The caller's user, and the installation as it appears to a client. */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { idSchema } from '../../lib/ids.ts'
import { version } from '../../lib/version.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { address } from '../../stores/db/record-fields.ts'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Principal } from './principal.ts'

export const accountSchema = z.object({
  user: z.object({ id: idSchema('user'), email: z.string().nullable(), name: z.string() }),
  kind: z.enum(['session', 'key', 'jwt']).meta({ description: 'What the request was authenticated with' }),
  version: z.string(),
  api_url: address,
  sites_url: address.meta({ description: 'The address below which sites are' }),
  jwt_required: z.boolean().meta({ description: 'Whether every change requires a JWT' }),
  builds: z.object({ available: z.boolean(), problem: z.string().nullable() }),
})

export type Account = z.infer<typeof accountSchema>

const userById = prepared((db) =>
  db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_by_id'),
)

type Deps = {
  store: Store
  apiUrl: string
  sitesUrl: string
  jwts: unknown
  buildProblem: () => Promise<string | undefined>
}

/** The caller's account. @throws AppError `unauthorized` when the user was just deleted. */
export async function getAccount(
  { store, apiUrl, sitesUrl, jwts, buildProblem }: Deps,
  { userId, kind }: Principal,
): Promise<Account> {
  const [[user], problem] = await Promise.all([
    userById(store.lookUps).execute({ id: userId }),
    buildProblem(),
  ])
  if (!user) throw new AppError('unauthorized', 'The user of this credential no longer exists.')
  return {
    user,
    kind,
    version,
    api_url: apiUrl,
    sites_url: sitesUrl,
    jwt_required: jwts !== undefined,
    builds: { available: problem === undefined, problem: problem ?? null },
  }
}
