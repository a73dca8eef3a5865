/** The account at the certificate authority, one for all nodes. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { asSecret } from '../../lib/secret.ts'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import type { Database } from '../../stores/db/database.ts'
import { acmeAccounts } from '../../stores/db/schema/certificates.ts'
import type { Store } from '../../stores/db/store.ts'
import { changeFamilies } from '../zones/family.ts'
import { type AcmeClient, createAcmeClient, type NewAccount, parseResponse } from './acme/client.ts'
import type { Account } from './acme/orders.ts'
import { AcmeError } from './acme/problem.ts'
import { generateKey } from './x509/keys.ts'

export type Authority = NewAccount & {
  directoryUrl: string
  /** PEM of a private authority's own certificate. */
  ca: string | undefined
}

type Deps = {
  store: Store
  /** The family of the zone whose CAA records name the account, where the platform serves one. */
  caaFamily: string | undefined
  /** Seals keys. */
  key: Buffer
  authority: Authority
  stopping: AbortSignal
  nowMs: () => number
}

export type SharedAccount = {
  /** Opens the account, which is created the first time. @throws AcmeError, AcmeUnavailableError. */
  open(): Promise<Account>
  /** Whether `error` is due to an account that is no longer accepted: `open` then makes another one. */
  forgetIfGone(account: Account, error: unknown): Promise<boolean>
  /** Ends all connections. */
  close(): Promise<void>
}

/** One for all orders of a run, whose requests share connections. Opens none before the first order. */
export function createSharedAccount(deps: Deps): SharedAccount {
  const clients: AcmeClient[] = []
  let opened: Promise<Account> | undefined

  async function openOnce(): Promise<Account> {
    const { store, key, authority, stopping, nowMs } = deps
    const { directoryUrl: directory, ca } = authority
    const row = await accountRow(store.db, directory, key)
    const accountKey = unseal(key, placeOf(directory), row.keySealed)
    const client = createAcmeClient({ directoryUrl: directory, ca, accountKey, stopping, nowMs })
    clients.push(client)
    if (row.url !== null && row.caaIdentities !== null) return { client, url: row.url }
    const url = row.url ?? (await client.openAccount(authority))
    const caaIdentities = (await client.directory()).meta?.caaIdentities ?? []
    await changeAccount((tx) =>
      tx
        .update(acmeAccounts)
        .set({ url, caaIdentities })
        .where(and(eq(acmeAccounts.directory, directory), eq(acmeAccounts.keySealed, row.keySealed))),
    )
    return { client, url }
  }

  /** Together with the zone that names the account. */
  async function changeAccount(change: (tx: Database) => Promise<unknown>): Promise<void> {
    const { store, caaFamily, nowMs } = deps
    await store.transact(async (tx) => {
      await changeFamilies(tx, caaFamily === undefined ? [] : [caaFamily], nowMs())
      await change(tx)
    })
  }

  return {
    open() {
      const opening = opened ?? openOnce()
      opened = opening
      opening.catch(() => {
        if (opened === opening) opened = undefined
      })
      return opening
    },
    async forgetIfGone(account, error) {
      if (!isOfAccount(error) || !(await isGone(account))) return false
      await changeAccount((tx) => tx.delete(acmeAccounts).where(eq(acmeAccounts.url, account.url)))
      // Another order may have opened the next one meanwhile.
      if ((await opened) === account) opened = undefined
      return true
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

const placeOf = (directoryUrl: string) => `acme account ${directoryUrl}`

/** Two nodes may make one at the same time: the first one's is used. */
async function accountRow(db: Database, directory: string, key: Buffer) {
  const find = () => db.select().from(acmeAccounts).where(eq(acmeAccounts.directory, directory))
  const [known] = await find()
  if (known) return known
  const keySealed = seal(key, placeOf(directory), asSecret(await generateKey()))
  await db.insert(acmeAccounts).values({ directory, keySealed }).onConflictDoNothing()
  const [made] = await find()
  if (!made) throw new Error('The account was removed while it was made.')
  return made
}

const accountSchema = z.object({ status: z.string() })

/**
 * Authorities refuse more than accounts with the type `unauthorized`, so the account itself is read (RFC
 * 8555, section 7.3).
 */
async function isGone({ client, url }: Account): Promise<boolean> {
  try {
    const { body } = await client.send(url, url)
    return parseResponse(accountSchema, body, url).status !== 'valid'
  } catch (error) {
    if (isOfAccount(error)) return true
    throw error
  }
}

function isOfAccount(error: unknown): boolean {
  return error instanceof AcmeError && ['accountDoesNotExist', 'unauthorized'].includes(error.type)
}
