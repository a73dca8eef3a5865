/** The mail to somebody who forgot the password. */
import { eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { accounts } from '../../../stores/db/schema/people.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Hourly } from '../../mail/hourly.ts'
import type { Mail } from '../../mail/smtp.ts'
import { insertLink, linkUrl, resetLifetimeMs } from '../people/links.ts'
import { providerId } from '../people/oidc.ts'
import { passwordAccount } from '../people/password.ts'

type Context = {
  store: Store
  apiUrl: string
  providerName: string | undefined
  nowMs: number
  send: (mail: Mail) => Promise<void>
  limit: Hourly
}

/**
 * Sends a link to whoever has a password. Who signs in at the provider alone gets a mail that says so,
 * because a link would add a way to sign in that nobody set up; a stranger gets none.
 * @throws Error of the store or the mail server.
 */
export async function mailReset(context: Context, email: string): Promise<void> {
  const { store, apiUrl, providerName, nowMs, send, limit } = context
  const ways = await waysToSignIn(store.db, email)
  const atProvider = ways.has(providerId) ? providerName : undefined
  if (!ways.has(passwordAccount) && atProvider === undefined) return
  // Counted for accounts alone: made-up addresses would push out those that count.
  if (!limit.take(email, nowMs)) return
  if (!ways.has(passwordAccount)) {
    await send({ to: email, subject: 'Your account', text: withoutPassword(apiUrl, atProvider ?? '') })
    return
  }
  const { token } = await store.transact((tx) =>
    insertLink(tx, { email }, { lifetimeMs: resetLifetimeMs, nowMs }),
  )
  await send({ to: email, subject: 'A new password', text: withLink(apiUrl, linkUrl(apiUrl, token)) })
}

async function waysToSignIn(db: Database, email: string): Promise<Set<string>> {
  const rows = await db
    .select({ way: accounts.providerId })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.email, email))
  return new Set(rows.map(({ way }) => way))
}

const withLink = (apiUrl: string, link: string) => `Somebody requested a new password for your account at
${apiUrl}

Choose one at this address, which works once, for one hour:
${link}

That ends all sessions of the account. If it wasn't you, do nothing: the
password stays as it is.
`

const withoutPassword = (
  apiUrl: string,
  provider: string,
) => `Somebody requested a new password for your account at
${apiUrl}

The account has no password: you sign in with ${provider}. If it wasn't
you, do nothing.
`
