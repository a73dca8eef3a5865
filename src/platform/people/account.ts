/** The caller's user, and the installation as it appears to a client. */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { version } from '../../lib/version.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { address } from '../../stores/db/record-fields.ts'
import { accounts } from '../../stores/db/schema/people.ts'
import { secondFactors } from '../../stores/db/schema/second-factors.ts'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Principal } from '../callers/principal.ts'
import { userGone } from '../callers/unauthorized.ts'
import { providerId } from './oidc.ts'
import { noPasskeys, relyingPartyOf } from './passkeys/relying-party.ts'
import { isUnproven, shownEmail } from './person-email.ts'
import { passkeyCount } from './second-factor/attempt.ts'
import { factorSchema } from './second-factor/second-factor-output.ts'

/** A user, as the user sees it. */
export const userSchema = z.object({ id: idSchema('user'), email: z.string().nullable(), name: z.string() })

export const accountSchema = z.object({
  user: userSchema,
  kind: z.enum(['session', 'key', 'jwt']).meta({ description: 'What the request was authenticated with' }),
  unproven: z.boolean().meta({
    description: "Whether an invitation's link has made the account, and its address is not proven yet",
  }),
  proof_by_mail: z
    .boolean()
    .meta({ description: 'Whether this node can mail a link that proves the address' }),
  password_set: z.boolean().meta({ description: 'Whether the user can sign in with a password' }),
  provider: z
    .string()
    .nullable()
    .meta({ description: 'The name of the OpenID provider, if the user has signed in there' }),
  second_factor: factorSchema,
  passkeys_problem: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'Why browsers have no passkeys for this server; null where they have' }),
  version: z.string(),
  api_url: address,
  sites_url: address.meta({ description: 'The address below which sites are' }),
  jwt_required: z.boolean().meta({ description: 'Whether every change requires a JWT' }),
  builds: z.object({
    available: z.boolean(),
    problem: z.string().nullable(),
    install_problem: z.string().nullable().default(null).meta({
      description: 'Why builds on this node can not install packages; null where they can, or it builds none',
    }),
  }),
})

export type User = z.infer<typeof userSchema>

export type Account = z.infer<typeof accountSchema>

/** One row for each way to sign in, and one without any. */
const userById = prepared((db) =>
  db
    .select({
      id: users.id,
      email: shownEmail,
      unproven: isUnproven,
      name: users.name,
      via: accounts.providerId,
      hasPassword: sql<boolean>`${accounts.passwordHash} is not null`,
      hasApp: sql<boolean>`${secondFactors.confirmedMs} is not null`,
      passkeys: passkeyCount,
      recoveryCodes: sql<number>`coalesce(cardinality(${secondFactors.recoverySha256}), 0)`,
    })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_by_id'),
)

type Deps = {
  store: Store
  apiUrl: string
  sitesUrl: string
  jwts: unknown
  providerName: string | undefined
  mails: unknown
  buildProblem: () => Promise<string | undefined>
  installProblem: string | undefined
}

/** The caller's account. @throws AppError `unauthorized` when the user was just deleted. */
export async function getAccount(
  { store, apiUrl, sitesUrl, jwts, providerName, mails, buildProblem, installProblem }: Deps,
  { userId, kind }: Principal,
): Promise<Account> {
  const [ways, problem] = await Promise.all([userById(store.lookUps).execute({ id: userId }), buildProblem()])
  const [first] = ways
  if (!first) throw userGone()
  const { id, email, unproven, name, hasApp, passkeys, recoveryCodes } = first
  const provider = ways.some(({ via }) => via === providerId) ? providerName : undefined
  return {
    user: { id, email, name },
    kind: kind === 'workload' ? 'jwt' : kind,
    unproven,
    proof_by_mail: unproven && email !== null && mails !== undefined,
    password_set: ways.some(({ hasPassword }) => hasPassword),
    provider: provider ?? null,
    second_factor: { on: hasApp || passkeys > 0, app: hasApp, passkeys, recovery_codes: recoveryCodes },
    passkeys_problem: relyingPartyOf(apiUrl) ? null : noPasskeys,
    version,
    api_url: apiUrl,
    sites_url: sitesUrl,
    jwt_required: jwts !== undefined,
    builds: {
      available: problem === undefined,
      problem: problem ?? null,
      install_problem: installProblem ?? null,
    },
  }
}
