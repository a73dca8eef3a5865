/**
 * Draws from buckets that another process of the node keeps. Who draws often gets tokens lent for a tenth of
 * a second, by need, so that a request costs no message.
 */
import { LRUCache } from 'lru-cache'
import type { LentBucket, LentDraw, Loan } from './lend-tokens.ts'
import type { Draw } from './limiter.ts'
import type { LimitsService } from './serve-limits.ts'

/** How long a loan lasts, and the time in which need is counted, in milliseconds. */
const loanMs = 100

/** So many draws within that time are worth a loan. */
const leastNeed = 8

/** The most buckets whose draws are counted. */
const maxCallers = 10_000

/** `drawn` since `sinceMs`, and `before` in as long a time before that; `left` of the loan. */
type Caller = {
  sinceMs: number
  drawn: number
  before: number
  loan: Loan | undefined
  left: number
  borrowing: Promise<void> | undefined
}

type Lender = Pick<LimitsService, 'drawLent' | 'returnLoan'>

export type BorrowedBuckets = {
  draw(id: string, cost: number): Draw | Promise<Draw>
  /** Ends a loan; resolves to what is left of it, or null where it has ended. */
  recall(id: string, number: number): Promise<number | null>
}

/** The buckets of one policy; `now` is a monotonic clock in milliseconds. */
export function borrowBuckets(lender: Lender, policy: LentBucket, now: () => number): BorrowedBuckets {
  const callers = new LRUCache<string, Caller>({
    max: maxCallers,
    dispose: (caller, id) => giveBack(id, caller),
  })

  function callerOf(id: string): Caller {
    const known = callers.get(id)
    if (known) return known
    const caller = { sinceMs: now(), drawn: 0, before: 0, loan: undefined, left: 0, borrowing: undefined }
    callers.set(id, caller)
    return caller
  }

  function count(caller: Caller, cost: number): void {
    const passedMs = now() - caller.sinceMs
    if (passedMs >= loanMs) {
      caller.before = passedMs < 2 * loanMs ? caller.drawn : 0
      caller.drawn = 0
      caller.sinceMs = now()
    }
    caller.drawn += cost
  }

  function spend(caller: Caller, cost: number): Draw | undefined {
    if (!caller.loan || caller.left < cost) return undefined
    caller.left -= cost
    return { allowed: true, remaining: caller.left + caller.loan.floor, waitMs: 0 }
  }

  function giveBack(id: string, caller: Caller): void {
    const { loan, left } = caller
    if (!loan) return
    caller.loan = undefined
    lender.returnLoan({ policy, id, number: loan.number, unspent: left })
  }

  function receive(id: string, caller: Caller, loan: Loan): void {
    caller.loan = loan
    caller.left = loan.tokens
    setTimeout(() => {
      if (caller.loan === loan) giveBack(id, caller)
    }, loanMs).unref()
  }

  async function request(id: string, cost: number, wanted: number): Promise<LentDraw> {
    return lender.drawLent({ policy, id, cost, wanted })
  }

  function borrow(id: string, caller: Caller, cost: number): Promise<Draw> {
    giveBack(id, caller)
    const answer = request(id, cost, Math.max(caller.before, caller.drawn))
    const borrowing = answer
      .then(({ loan }) => loan && receive(id, caller, loan))
      .catch(() => {})
      .finally(() => {
        caller.borrowing = undefined
      })
    caller.borrowing = borrowing
    return answer
  }

  return {
    draw(id, cost) {
      const caller = callerOf(id)
      count(caller, cost)
      const own = spend(caller, cost)
      if (own) return own
      if (caller.borrowing) return caller.borrowing.then(() => spend(caller, cost) ?? request(id, cost, 0))
      const isWorthwhile = Math.max(caller.before, caller.drawn) >= leastNeed
      return isWorthwhile ? borrow(id, caller, cost) : request(id, cost, 0)
    },
    async recall(id, number) {
      const caller = callers.peek(id)
      // It may be on its way.
      await caller?.borrowing
      if (caller?.loan?.number !== number) return null
      caller.loan = undefined
      return caller.left
    },
  }
}
