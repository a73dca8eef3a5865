/** Pauses of the account: what the authority refused for all orders is not tried again with each name. */
import { eq, sql } from 'drizzle-orm'
import { registrableOf } from '../../lib/names/domain-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { acmeAccounts } from '../../stores/db/schema/certificates.ts'
import { AcmeError } from './acme/problem.ts'
import { baseOf } from './certificate-names.ts'

/**
 * One order finds out after this time whether the authority still refuses: its limits of accounts are for as
 * long.
 */
const maxPauseMs = 3 * 60 * 60_000

/** Until when first orders and renewals are held up; 0 if they aren't. */
export type Pauses = { firstMs: number; renewalsMs: number }

/** The pauses of the account at an authority, by the URL of its directory. */
export async function readPauses(db: Database, directory: string): Promise<Pauses> {
  const [row] = await db
    .select({ firstMs: acmeAccounts.pausedUntilMs, renewalsMs: acmeAccounts.renewalsPausedUntilMs })
    .from(acmeAccounts)
    .where(eq(acmeAccounts.directory, directory))
  return { firstMs: row?.firstMs ?? 0, renewalsMs: row?.renewalsMs ?? 0 }
}

/**
 * Holds orders up where a refusal, with a time, is for the account. One of a renewal holds up all; one of a
 * first order leaves renewals alone, which authorities may exempt from their limits (RFC 9773). Resolves to
 * when the pause ends, if there is one.
 */
export async function pauseAfter(
  db: Database,
  directory: string,
  { error, name, isRenewal }: { error: unknown; name: string; isRenewal: boolean },
  nowMs: number,
): Promise<number | undefined> {
  if (!(error instanceof AcmeError) || error.type !== 'rateLimited' || !error.retryAfterMs) return undefined
  if (isAbout(error, name)) return undefined
  const untilMs = Math.round(nowMs + Math.min(error.retryAfterMs, maxPauseMs))
  await db
    .update(acmeAccounts)
    .set({
      pausedUntilMs: sql`greatest(${acmeAccounts.pausedUntilMs}, ${untilMs})`,
      ...(isRenewal && {
        renewalsPausedUntilMs: sql`greatest(${acmeAccounts.renewalsPausedUntilMs}, ${untilMs})`,
      }),
    })
    .where(eq(acmeAccounts.directory, directory))
  return untilMs
}

/**
 * Limits of a name or its registrable domain name it: with those a team could otherwise hold up everybody.
 */
function isAbout(error: AcmeError, name: string): boolean {
  const base = baseOf(name)
  const text = error.message.toLowerCase()
  return /exact set of (identifiers|domains)/.test(text) || text.includes(registrableOf(base) ?? base)
}
