/** The challenges of orders under way, for which the authority looks: rows that every node shows. */
import { createHash } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import { registrableOf } from '../../lib/names/domain-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { acmeChallenges } from '../../stores/db/schema/certificates.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { changeFamilies } from '../zones/family.ts'
import { type ChallengeType, challengeTypes } from './acme/orders.ts'

/** `name` is without the `*.` of a wildcard. */
export type Challenge = { name: string; type: ChallengeType; token: string; keyAuthorization: string }

/** Longer than any order takes. */
const maxAgeMs = 60 * 60_000

/** Has all nodes show it; name servers serve it at once, others within a second. */
export async function showChallenge(store: Store, challenge: Challenge, nowMs: number): Promise<void> {
  await store.transact(async (tx) => {
    await changeZone(tx, challenge, nowMs)
    await tx
      .insert(acmeChallenges)
      .values({ ...challenge, createdMs: nowMs })
      .onConflictDoNothing()
    tx.announce({ kind: 'challenge', id: challenge.name })
  })
}

export async function hideChallenge(store: Store, challenge: Challenge, nowMs: number): Promise<void> {
  const { name, type, token } = challenge
  await store.transact(async (tx) => {
    await changeZone(tx, challenge, nowMs)
    await tx
      .delete(acmeChallenges)
      .where(
        and(eq(acmeChallenges.name, name), eq(acmeChallenges.type, type), eq(acmeChallenges.token, token)),
      )
    tx.announce({ kind: 'challenge', id: name })
  })
}

async function changeZone(tx: Transaction, { name, type }: Challenge, nowMs: number): Promise<void> {
  const registrable = registrableOf(name)
  if (type === 'dns-01') await changeFamilies(tx, registrable === undefined ? [] : [registrable], nowMs)
}

/** Deletes the challenges of orders that a killed node left. */
export async function deleteOldChallenges(db: Database, nowMs: number): Promise<number> {
  const deleted = await db
    .delete(acmeChallenges)
    .where(lt(acmeChallenges.createdMs, nowMs - maxAgeMs))
    .returning({ name: acmeChallenges.name })
  return deleted.length
}

/** All of them: there are as many as orders under way. */
export async function listChallenges(db: Database): Promise<Challenge[]> {
  const rows = await db.select().from(acmeChallenges)
  return rows.flatMap(({ type, ...row }) => {
    const known = challengeTypes.find((each) => each === type)
    return known === undefined ? [] : [{ ...row, type: known }]
  })
}

/** The value of the TXT record for DNS-01 (RFC 8555, section 8.4). */
export function challengeTxt({ keyAuthorization }: Pick<Challenge, 'keyAuthorization'>): string {
  return createHash('sha256').update(keyAuthorization).digest('base64url')
}
