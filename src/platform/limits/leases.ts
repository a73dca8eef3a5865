/** A scarce thing of a node, such as processes of git, is lent to teams in turn. */
import { randomUUID } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'

/** Whom a lease is offered to: to teams that hold none, by one that holds several; or to whoever waits. */
export type OfferedTo = 'newcomers' | 'everybody'

/** Lends by id, also to other processes of the node. */
export type LeaseKeeper = {
  /**
   * Resolves to true once the lease `id` is the team's; to false where too many of the team wait, the wait
   * was too long, or the lease has been ended meanwhile.
   */
  take(id: string, teamId: string): Promise<boolean>
  /** Takes a lease back, or ends the wait for it. */
  end(id: string): void
  /**
   * Offers a lease, in place of an earlier offer: true once somebody waits for it, false where it was kept or
   * ended.
   */
  offer(id: string, to: OfferedTo): Promise<boolean>
  /** Withdraws the offer. */
  keep(id: string): void
}

/** `waiting` is for each team. */
type Bounds = { most: number; ofTeam: number; waiting: number; waitMs?: number }

type Offer = { to: OfferedTo; answer: (isWanted: boolean) => void }

type Holder = { teamId: string; isWanted: boolean; offer?: Offer }

type Waiter = { id: string; teamId: string; admit(isAdmitted: boolean): void }

/** At most `most` leases at a time, `ofTeam` of one team. The team with the fewest has the next one. */
export function createLeaseKeeper({ most, ofTeam, waiting, waitMs }: Bounds): LeaseKeeper {
  const holders = new Map<string, Holder>()
  let waiters: Waiter[] = []

  const heldBy = (team: string) => [...holders.values()].filter(({ teamId }) => teamId === team).length
  const waitingOf = (team: string) => waiters.filter(({ teamId }) => teamId === team).length

  function nextWaiter(): Waiter | undefined {
    if (holders.size >= most) return undefined
    const free = waiters.filter(({ teamId }) => heldBy(teamId) < ofTeam)
    return free.reduce<Waiter | undefined>(
      (first, each) => (first && heldBy(first.teamId) <= heldBy(each.teamId) ? first : each),
      undefined,
    )
  }

  function letIn(): void {
    for (let next = nextWaiter(); next; next = nextWaiter()) {
      holders.set(next.id, { teamId: next.teamId, isWanted: false })
      leave(next, true)
    }
    callOffered()
  }

  /** For each who waits one that is offered, unless that was called for already. */
  function callOffered(): void {
    let called = [...holders.values()].filter(({ isWanted }) => isWanted).length
    for (const { teamId } of waiters) {
      if (called > 0) {
        called -= 1
        continue
      }
      const offered = [...holders.values()].find((each) => !each.isWanted && isFor(teamId, each))
      if (!offered) continue
      offered.isWanted = true
      offered.offer?.answer(true)
    }
  }

  function isFor(team: string, { teamId, offer }: Holder): boolean {
    if (!offer || (heldBy(team) >= ofTeam && teamId !== team)) return false
    return offer.to === 'everybody' || (heldBy(team) === 0 && heldBy(teamId) > 1)
  }

  function leave(waiter: Waiter, isAdmitted: boolean): void {
    waiters = waiters.filter((each) => each !== waiter)
    waiter.admit(isAdmitted)
  }

  function keep(id: string): void {
    const holder = holders.get(id)
    holder?.offer?.answer(false)
    delete holder?.offer
  }

  return {
    take(id, teamId) {
      if (waitingOf(teamId) >= waiting) return Promise.resolve(false)
      return new Promise((resolve) => {
        const late = waitMs === undefined ? undefined : setTimeout(() => leave(waiter, false), waitMs).unref()
        const waiter: Waiter = {
          id,
          teamId,
          admit(isAdmitted) {
            clearTimeout(late)
            resolve(isAdmitted)
          },
        }
        waiters.push(waiter)
        letIn()
      })
    },
    end(id) {
      keep(id)
      if (holders.delete(id)) letIn()
      const waiter = waiters.find((each) => each.id === id)
      if (waiter) leave(waiter, false)
    },
    offer(id, to) {
      const holder = holders.get(id)
      if (!holder) return Promise.resolve(false)
      keep(id)
      return new Promise((resolve) => {
        holder.offer = { to, answer: resolve }
        callOffered()
      })
    },
    keep,
  }
}

export type Lease = {
  /** Gives it back; a second time it does nothing. */
  end(): void
  /** As `LeaseKeeper` does. */
  offer(to: OfferedTo): Promise<boolean>
  keep(): void
}

export type Leases = {
  /**
   * Resolves once it is the team's.
   * @throws AppError `too_many_waiting`; the reason of `signal` once it aborts.
   */
  take(teamId: string, signal: AbortSignal): Promise<Lease>
}

/** The leases of a keeper, which may be in another process; `refusal` is for whoever gets none. */
export function leasesOf(keeper: LeaseKeeper, refusal: string): Leases {
  return {
    async take(teamId, signal) {
      signal.throwIfAborted()
      const id = randomUUID()
      const end = () => keeper.end(id)
      signal.addEventListener('abort', end)
      const isTaken = await keeper.take(id, teamId).finally(() => signal.removeEventListener('abort', end))
      if (signal.aborted) end()
      signal.throwIfAborted()
      if (!isTaken) throw new AppError('too_many_waiting', refusal, { retryAfterMs: 5_000 })
      return { end, offer: (to) => keeper.offer(id, to), keep: () => keeper.keep(id) }
    },
  }
}
