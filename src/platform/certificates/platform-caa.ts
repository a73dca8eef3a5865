/**
 * The CAA records that reserve certificates of the platform's names to its own account (RFC 8659, RFC 8657).
 */
import { eq } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { acmeAccounts } from '../../stores/db/schema/certificates.ts'
import { caa } from '../dns/types/caa.ts'

/**
 * Authorities whose documentation says that they obey `accounturi`: others may refuse even the account that
 * is named.
 */
const obedient = ['letsencrypt.org']

/**
 * The values for the account at an authority, by the URL of its directory. None before the account exists,
 * and where the authority doesn't obey them.
 */
export async function readPlatformCaa(db: Database, directory: string): Promise<string[]> {
  const [account] = await db.select().from(acmeAccounts).where(eq(acmeAccounts.directory, directory))
  // The authority chose it.
  if (!account?.url || account.url.includes(';')) return []
  const values: string[] = []
  for (const identity of account.caaIdentities ?? []) {
    if (!obedient.includes(identity)) continue
    const value = caa.readValue(`0 issue "${identity}; accounturi=${account.url}"`)
    if (typeof value === 'string') values.push(value)
  }
  return values
}
