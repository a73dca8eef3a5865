/**
 * Lets other processes of the node use the limits that this one keeps, so that they are one limit together.
 */
import { AppError } from '../../lib/errors.ts'
import type { Borrower, BorrowingDraw, LentDraw, ReturnedLoan } from './lend-tokens.ts'
import type { Draw } from './limiter.ts'
import type { OwnLimits } from './own-limits.ts'
import type { BucketName } from './policy.ts'

/** `cost` tokens of the bucket `id`. */
type BucketDraw = { policy: BucketName; id: string; cost: number }

/** The kinds of lookups that are limited. */
export type LookUpKind = 'callers' | 'sites'

/** A lookup that may begin, and is ended by its ticket; or the refusal. */
type Admitted = { ticket: number } | { message: string; retryAfterMs: number }

/** The requests of a process; the methods are those of `OwnLimits`, with values that can be sent. */
export type LimitsService = {
  draw(drawn: BucketDraw): Draw | Promise<Draw>
  giveBack(drawn: BucketDraw): void | Promise<void>
  drawLent(drawn: BorrowingDraw): LentDraw | Promise<LentDraw>
  returnLoan(returned: ReturnedLoan): void
  beginLookUp(lookUp: { kind: LookUpKind; address: string }): Promise<Admitted>
  endLookUp(ended: { ticket: number; isMiss: boolean }): void
  takeConnection(client: string): boolean | Promise<boolean>
  giveConnectionBack(client: string): void
}

/** Serves `limits` to one process, the borrower. `release` returns what that one held, once it has ended. */
export function serveLimits(limits: OwnLimits, borrower: Borrower): LimitsService & { release(): void } {
  const { buckets, connections, lender } = limits
  const lookUps = new Map<number, (isMiss: boolean) => void>()
  const connected = new Map<string, number>()
  let lastTicket = 0
  let isReleased = false

  function count(client: string, more: number): void {
    const left = (connected.get(client) ?? 0) + more
    if (left === 0) connected.delete(client)
    else connected.set(client, left)
  }

  /** Resolves to undefined for a miss when the process has ended the lookup. */
  function lookUpElsewhere(admitted: (ticket: number) => void): Promise<true | undefined> {
    return new Promise((resolve) => {
      if (isReleased) {
        resolve(true)
        return
      }
      lastTicket += 1
      lookUps.set(lastTicket, (isMiss) => resolve(isMiss ? undefined : true))
      admitted(lastTicket)
    })
  }

  return {
    draw: ({ policy, id, cost }) => buckets[policy].draw(id, cost),
    giveBack: ({ policy, id, cost }) => buckets[policy].giveBack(id, cost),
    drawLent: (drawn) => lender?.draw(drawn, borrower) ?? buckets[drawn.policy].draw(drawn.id, drawn.cost),
    returnLoan: (returned) => lender?.takeBack(returned),
    beginLookUp: ({ kind, address }) =>
      new Promise((resolve, reject) => {
        const find = () => lookUpElsewhere((ticket) => resolve({ ticket }))
        const admitting: Promise<unknown> =
          kind === 'sites' ? limits.sites(address, find) : limits.callers.admit(address, find)
        admitting.catch((error: unknown) => {
          if (error instanceof AppError && error.retryAfterMs !== undefined) {
            resolve({ message: error.message, retryAfterMs: error.retryAfterMs })
          } else reject(error)
        })
      }),
    endLookUp({ ticket, isMiss }) {
      lookUps.get(ticket)?.(isMiss)
      lookUps.delete(ticket)
    },
    async takeConnection(client) {
      const isTaken = (await connections?.take(client)) ?? true
      if (!isTaken) return false
      if (isReleased) connections?.giveBack(client)
      else count(client, 1)
      return true
    },
    giveConnectionBack(client) {
      count(client, -1)
      connections?.giveBack(client)
    },
    release() {
      isReleased = true
      for (const end of lookUps.values()) end(false)
      lookUps.clear()
      for (const [client, taken] of connected) {
        for (let each = 0; each < taken; each += 1) connections?.giveBack(client)
      }
      connected.clear()
      lender?.forget(borrower)
    },
  }
}
