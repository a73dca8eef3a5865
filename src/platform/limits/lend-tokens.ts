/**
 * Lends tokens of the buckets that this process keeps to other processes of the node, which spend them
 * without a message for each. All of them together still spend what one bucket has: before a draw is refused,
 * or the bucket has less than its borrowers rely on, what they have left is called back.
 */
import { within } from '../../lib/async/within.ts'
import type { Plan } from '../../lib/plan.ts'
import type { Draw } from './limiter.ts'
import type { MemoryLimiter } from './memory-limiter.ts'

/** The buckets whose tokens are lent: those from which one caller may draw thousands a second. */
export type LentBucket = Plan | 'session'

/** Tokens that a process may spend by itself; beside them the bucket has `floor` at least meanwhile. */
export type Loan = { number: number; tokens: number; floor: number }

/** A draw of `cost` by a process that would like to borrow `wanted` more. */
export type BorrowingDraw = { policy: LentBucket; id: string; cost: number; wanted: number }

/** The result of a draw; the loan comes with it where there is enough. */
export type LentDraw = Draw & { loan?: Loan }

/** A loan of the bucket `id`. */
export type RecalledLoan = { policy: LentBucket; id: string; number: number }

export type ReturnedLoan = RecalledLoan & { unspent: number }

export type Borrower = {
  /** Ends the loan there; resolves to what is left of it, or null where it has ended. */
  recall(loan: RecalledLoan): Promise<number | null>
}

export type TokenLender = {
  draw(drawn: BorrowingDraw, borrower: Borrower): LentDraw | Promise<LentDraw>
  /** Ends a loan; one that has ended already is ignored. */
  takeBack(returned: ReturnedLoan): void
  /** Ends the loans of a process that has ended. What it had counts as spent. */
  forget(borrower: Borrower): void
}

/** A process that does not say what is left within so many milliseconds has spent it all. */
const recallMs = 250

/** The share of a bucket that is lent at once, and the least that is worth it. */
const loanShare = 1 / 4
const leastLoan = 4

type Bucket = Pick<BorrowingDraw, 'policy' | 'id'>

type OpenLoan = Loan & { of: Bucket; borrower: Borrower }

/** Loans of the buckets of `limiters`. */
export function createTokenLender(limiters: Record<LentBucket, MemoryLimiter>): TokenLender {
  const loans = new Map<string, Map<number, OpenLoan>>()
  const recalls = new Map<string, Promise<void>>()
  let lastNumber = 0

  const keyOf = ({ policy, id }: Bucket) => `${policy} ${id}`

  /** Undefined without a loan. */
  function floorOf(key: string): number | undefined {
    const open = loans.get(key)
    return open && Math.max(...[...open.values()].map(({ floor }) => floor))
  }

  function drawNow(drawn: BorrowingDraw, borrower: Borrower): LentDraw {
    const { policy, id, cost, wanted } = drawn
    const draw = limiters[policy].draw(id, cost)
    const tokens = Math.min(wanted, Math.floor(draw.remaining * loanShare))
    const left = draw.remaining - tokens
    const key = keyOf(drawn)
    if (!draw.allowed || tokens < leastLoan || left < (floorOf(key) ?? 0)) return draw
    limiters[policy].lend(id, tokens)
    lastNumber += 1
    const loan = { number: lastNumber, tokens, floor: Math.floor(left / 2) }
    const open = loans.get(key) ?? new Map<number, OpenLoan>()
    loans.set(key, open.set(loan.number, { ...loan, of: { policy, id }, borrower }))
    return { ...draw, loan }
  }

  function takeBack({ policy, id, number, unspent }: ReturnedLoan): void {
    const key = keyOf({ policy, id })
    const open = loans.get(key)
    const loan = open?.get(number)
    if (!open || !loan) return
    open.delete(number)
    if (open.size === 0) loans.delete(key)
    limiters[policy].takeBack(id, loan.tokens, Math.max(0, Math.min(unspent, loan.tokens)))
  }

  async function recallOne({ of: bucket, number, borrower }: OpenLoan): Promise<void> {
    const of = { ...bucket, number }
    const answer = borrower.recall(of).catch(() => null)
    const unspent = await within(recallMs, answer, () => null)
    takeBack({ ...of, unspent: unspent ?? 0 })
  }

  function recallAll(key: string): Promise<void> {
    const running = recalls.get(key)
    if (running) return running
    const all = Promise.all([...(loans.get(key)?.values() ?? [])].map(recallOne))
    const recalled = all.then(() => {}).finally(() => recalls.delete(key))
    recalls.set(key, recalled)
    return recalled
  }

  function draw(drawn: BorrowingDraw, borrower: Borrower): LentDraw | Promise<LentDraw> {
    const { policy, id, cost } = drawn
    const key = keyOf(drawn)
    const floor = floorOf(key)
    if (floor === undefined || limiters[policy].peek(id).remaining - cost >= floor)
      return drawNow(drawn, borrower)
    return recallAll(key).then(() => draw(drawn, borrower))
  }

  return {
    draw,
    takeBack,
    forget(gone) {
      const all = [...loans.values()].flatMap((open) => [...open.values()])
      for (const { of, number, borrower } of all)
        if (borrower === gone) takeBack({ ...of, number, unspent: 0 })
    },
  }
}
