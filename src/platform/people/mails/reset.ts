/** The mail to somebody who forgot the password. */
import { eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { accounts, claimedAddresses } from '../../../stores/db/schema/people.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Hourly } from '../../mail/hourly.ts'
import type { Mail } from '../../mail/smtp.ts'
import { insertLink, linkUrl, resetLifetimeMs } from '../links.ts'
import { providerId } from '../oidc.ts'
import { passwordAccount } from '../password.ts'
import { isClaimOf } from '../person-email.ts'

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
 * because a link would add a way to sign in that nobody set up; a stranger gets none. Where accounts only
 * claim the address, the link makes another one, which takes it: none of them may be the mailbox's owner's.
 * @throws Error of the store or the mail server.
 */
export async function mailReset(context: Context, email: string): Promise<void> {
  const { store, apiUrl, providerName, nowMs, send, limit } = context
  const ways = await waysToSignIn(store.db, email)
  const atProvider = ways.has(providerId) ? providerName : undefined
  const isClaimed = ways.size === 0 && (await hasClaims(store.db, email))
  if (!ways.has(passwordAccount) && atProvider === undefined && !isClaimed) return
  // Counted for accounts alone: made-up addresses would push out those that count.
  if (!limit.take(email, nowMs)) return
  if (!ways.has(passwordAccount) && !isClaimed) {
    await send({ to: email, subject: 'Your account', text: withoutPassword(apiUrl, atProvider ?? '') })
    return
  }
  const { token } = await store.transact((tx) =>
    insertLink(tx, { email }, { lifetimeMs: resetLifetimeMs, nowMs }),
  )
  const text = (isClaimed ? withoutProof : withLink)(apiUrl, linkUrl(apiUrl, token))
  await send({ to: email, subject: 'A new password', text })
}

async function hasClaims(db: Database, email: string): Promise<boolean> {
  const claims = await db
    .select({ userId: claimedAddresses.userId })
    .from(claimedAddresses)
    .where(isClaimOf(email))
    .limit(1)
  return claims.length > 0
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

const withoutProof = (apiUrl: string, link: string) => `Somebody requested a new password for your account at
${apiUrl}

An account there was made with your address by the link of an invitation,
and nobody has confirmed the address. This makes an account of your own, which
takes the address; it works once, for one hour:
${link}

Your teams invite you again there. Whoever is still signed in to the other
account can open the link there, and keep it. If it wasn't you, do nothing.
`
