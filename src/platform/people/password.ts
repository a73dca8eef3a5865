/** Requirements and hashes of passwords. */
import pLimit from 'p-limit'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { type Secret, secretField } from '../../lib/secret.ts'

/** The provider of accounts that are passwords, as better-auth calls it. */
export const passwordAccount = 'credential'

export const minPasswordLength = 10
export const maxPasswordLength = 128

/**
 * NIST SP 800-63B, section 5.1.1.2: length counts, composition doesn't; the upper bound limits the cost of
 * hashing.
 */
export const passwordSchema = secretField(
  z
    .string()
    .min(minPasswordLength, `at least ${minPasswordLength} characters`)
    .max(maxPasswordLength, `at most ${maxPasswordLength} characters`),
)

/** A password that was set before. */
export const presentPassword = secretField(z.string().min(1).max(maxPasswordLength))

/** The salted scrypt hash of a password. @throws AppError `sign_in_unavailable` when too many are queued. */
export function hashPassword(password: Secret): Promise<string> {
  return signIns(async () => (await import('better-auth/crypto')).hashPassword(password))
}

/** Whether the hash of a site's password is this one's; it waits for no sign-ins, nor they for it. */
export function verifySitePassword(compared: { hash: string; password: string }): Promise<boolean> {
  return visits(async () => (await import('better-auth/crypto')).verifyPassword(compared))
}

/** Whether the hash is this password's. @throws AppError `sign_in_unavailable` when too many are queued. */
export function verifyPassword(compared: { hash: string; password: string }): Promise<boolean> {
  return signIns(async () => (await import('better-auth/crypto')).verifyPassword(compared))
}

/** Fewer than the threads of the pool, which also read files: guessing passwords must not stall sites. */
const signIns = createTurns({ atOnce: 2, waiting: 30 })
const visits = createTurns({ atOnce: 1, waiting: 20 })

function createTurns(most: { atOnce: number; waiting: number }): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(most.atOnce)
  return async (work) => {
    if (limit.pendingCount >= most.waiting) {
      throw new AppError('sign_in_unavailable', 'Too many sign-ins at this moment. Try again shortly.')
    }
    return limit(work)
  }
}
