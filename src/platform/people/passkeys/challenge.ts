/**
 * Challenges for passkeys (WebAuthn, section 13.4.3). Nothing is stored until one was answered, so strangers
 * may request as many as they like, and any node knows them again.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { lt } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { spentChallenges } from '../../../stores/db/schema/passkeys.ts'

export const challengeSeconds = 300

/** The purpose of a challenge, and its browser or session (`holder`): it is worth nothing for others. */
export type ChallengeUse = {
  purpose: 'sign-in' | 'second-factor' | 'proof' | 'first-factor' | 'another-factor'
  holder: string
}

const timeBytes = 6
const nonceBytes = 16
const bodyBytes = timeBytes + nonceBytes

/** A challenge in base64url: when it ends, random bytes, and a code of both with `key`. */
export function newChallenge(key: Buffer, use: ChallengeUse, nowMs: number): string {
  const time = Buffer.alloc(timeBytes)
  time.writeUIntBE(Math.floor(nowMs) + challengeSeconds * 1_000, 0, timeBytes)
  const body = Buffer.concat([time, randomBytes(nonceBytes)])
  return Buffer.concat([body, codeOf(key, use, body)]).toString('base64url')
}

/** Whether it was made for this use, and has not ended. */
export function isChallenge(key: Buffer, use: ChallengeUse, challenge: string, nowMs: number): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, bodyBytes)
  const code = bytes.subarray(bodyBytes)
  const expected = codeOf(key, use, body)
  const isOurs = code.length === expected.length && timingSafeEqual(code, expected)
  return isOurs && nowMs < endOf(challenge)
}

/** Uses a challenge up, which `isChallenge`; false if somebody has before. */
export async function spendChallenge(tx: Database, challenge: string): Promise<boolean> {
  const spent = await tx
    .insert(spentChallenges)
    .values({ challengeSha256: hash('sha256', challenge), expiresMs: endOf(challenge) })
    .onConflictDoNothing()
    .returning({ challengeSha256: spentChallenges.challengeSha256 })
  return spent.length > 0
}

/** Forgets those that have ended. Resolves to how many. */
export async function deleteEndedChallenges(db: Database, nowMs: number): Promise<number> {
  const deleted = await db
    .delete(spentChallenges)
    .where(lt(spentChallenges.expiresMs, nowMs))
    .returning({ challengeSha256: spentChallenges.challengeSha256 })
  return deleted.length
}

function endOf(challenge: string): number {
  return Buffer.from(challenge, 'base64url').readUIntBE(0, timeBytes)
}

function codeOf(key: Buffer, { purpose, holder }: ChallengeUse, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${purpose}\n${holder}\n`).update(body).digest()
}
