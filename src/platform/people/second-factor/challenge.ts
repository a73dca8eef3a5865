/**
 * The challenge that a browser keeps between the password and the second factor: whose password it knew,
 * until when. It is signed by who sets the cookie, and worth nothing once the password is another one, or the
 * second factor is gone that was there.
 */
import { hash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { accounts } from '../../../stores/db/schema/people.ts'
import { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import { passwordAccount } from '../password.ts'
import { isFactorOn } from './attempt.ts'

export const challengeSeconds = 600

/** The challenge for a person who typed the right password; undefined for one without a second factor. */
export async function newChallenge(db: Database, userId: string, nowMs: number): Promise<string | undefined> {
  const row = await readPerson(db, userId)
  if (!row?.isOn) return undefined
  return [userId, nowMs + challengeSeconds * 1_000, fingerprintOf(row)].join('.')
}

/** Whose password the challenge is about; undefined for one that is over. */
export async function challengedPerson(
  db: Database,
  challenge: string,
  nowMs: number,
): Promise<string | undefined> {
  const [userId = '', untilMs, fingerprint] = challenge.split('.')
  if (!(nowMs < Number(untilMs))) return undefined
  const row = await readPerson(db, userId)
  return row && fingerprintOf(row) === fingerprint ? userId : undefined
}

type Known = { passwordHash: string | null; factorMs: number | null; isOn: boolean }

async function readPerson(db: Database, userId: string): Promise<Known | undefined> {
  const [row] = await db
    .select({ passwordHash: accounts.passwordHash, factorMs: secondFactors.createdMs, isOn: isFactorOn })
    .from(accounts)
    .leftJoin(secondFactors, eq(secondFactors.userId, accounts.userId))
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, passwordAccount)))
  return row
}

function fingerprintOf({ passwordHash, factorMs }: Known): string {
  return hash('sha256', `${passwordHash} ${factorMs}`).slice(0, 32)
}
