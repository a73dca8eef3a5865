/**
 * Limits how often somebody at a session may be wrong about the person's password: a session that was left
 * open, or stolen, must not find it out. And how often an address may send passkeys that are not accepted.
 * Each process of a node counts for itself.
 */
import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'
import { addressBucket } from '../limits/address-bucket.ts'

const windowMs = 60_000

type Count = { wrong: number; sinceMs: number }

/** Who may be wrong how often within a minute. */
type Counts = { most: number; byId: LRUCache<string, Count> }

const ofPersons: Counts = { most: 5, byId: new LRUCache({ max: 20_000 }) }
const ofAddresses: Counts = { most: 30, byId: new LRUCache({ max: 20_000 }) }

/** Without `userId` nobody knows yet who it is. */
type Guess = {
  userId?: string
  address: string
  isRight: () => Promise<boolean>
}

/**
 * Whether the guess is right; it isn't looked at where too many were wrong.
 * @throws AppError `rate_limited`, and what `isRight` throws, which doesn't count.
 */
export async function guess({ userId, address, isRight }: Guess, nowMs: number): Promise<boolean> {
  const ofPerson = userId === undefined ? [] : [admit(ofPersons, userId, nowMs)]
  const counts = [...ofPerson, admit(ofAddresses, addressBucket(address), nowMs)]
  // Before it is known whether they are right, so that guesses at the same time count, too.
  for (const count of counts) count.wrong += 1
  let isWrong = false
  try {
    isWrong = !(await isRight())
    return !isWrong
  } finally {
    if (!isWrong) for (const count of counts) count.wrong -= 1
  }
}

function admit({ most, byId }: Counts, id: string, nowMs: number): Count {
  const known = byId.get(id)
  const isCurrent = known && nowMs >= known.sinceMs && nowMs < known.sinceMs + windowMs
  const count = isCurrent ? known : { wrong: 0, sinceMs: nowMs }
  if (!isCurrent) byId.set(id, count)
  if (count.wrong < most) return count
  const seconds = Math.ceil((count.sinceMs + windowMs - nowMs) / 1_000)
  throw new AppError('rate_limited', `Too many wrong passwords or passkeys. Try again in ${seconds} s.`, {
    retryAfterMs: count.sinceMs + windowMs - nowMs,
  })
}
