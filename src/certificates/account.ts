/** The account at the certificate authority, one for all nodes. */
import { and, eq } from 'drizzle-orm'
import { seal, unseal } from '../data-dir/seal.ts'
import type { Database } from '../db/open.ts'
import { acmeAccounts } from '../db/schema/certificates.ts'
import { createAcmeClient, type NewAccount } from './acme/client.ts'
import type { Account } from './acme/orders.ts'
import { generateKey } from './x509/keys.ts'

export type Authority = NewAccount & {
  directoryUrl: string
  /** PEM of a private authority's own certificate. */
  ca: string | undefined
}

type Deps = {
  db: Database
  /** Seals keys. */
  key: Buffer
  authority: Authority
  stopping: AbortSignal
  nowMs: () => number
}

const placeOf = (directoryUrl: string) => `acme account ${directoryUrl}`

/** Opens the account, which is created the first time. @throws AcmeError, AcmeUnavailableError. */
export async function openAccount({ db, key, authority, stopping, nowMs }: Deps): Promise<Account> {
  const { directoryUrl: directory, ca } = authority
  const row = await accountRow(db, directory, key)
  const accountKey = unseal(key, placeOf(directory), row.keySealed)
  const client = createAcmeClient({ directoryUrl: directory, ca, accountKey, stopping, nowMs })
  if (row.url !== null) return { client, url: row.url }
  const url = await client.openAccount(authority)
  await db
    .update(acmeAccounts)
    .set({ url })
    .where(and(eq(acmeAccounts.directory, directory), eq(acmeAccounts.keySealed, row.keySealed)))
  return { client, url }
}

/** The authority no longer accepts it: the next order opens another one. */
export async function forgetAccount(db: Database, { url }: Account): Promise<void> {
  await db.delete(acmeAccounts).where(eq(acmeAccounts.url, url))
}

/** Two nodes may make one at the same time: the first one's is used. */
async function accountRow(db: Database, directory: string, key: Buffer) {
  const find = () => db.select().from(acmeAccounts).where(eq(acmeAccounts.directory, directory))
  const [known] = await find()
  if (known) return known
  const keySealed = seal(key, placeOf(directory), await generateKey())
  await db.insert(acmeAccounts).values({ directory, keySealed }).onConflictDoNothing()
  const [made] = await find()
  if (!made) throw new Error('The account was removed while it was made.')
  return made
}
