/** A scarce thing of a node, such as processes of git, is lent to teams in turn. */
import { randomUUID } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'

/** Lends by id, also to other processes of the node. */
export type LeaseKeeper = {
  /**
   * Resolves to true once the lease `id` is the team's; to false where too many of the team wait, the wait
   * was too long, or the lease has been ended meanwhile.
   */
  take(id: string, teamId: string): Promise<boolean>
  /** Takes a lease back, or ends the wait for it. */
  end(id: string): void
  /** Offers a lease to whoever waits: true once somebody does, false where it was kept or ended. */
  offer(id: string): Promise<boolean>
  /** Withdraws the offer. */
  keep(id: string): void
}

/** `waiting` is for each team. */
type Bounds = { most: number; ofTeam: number; waiting: number; waitMs?: number }

type Holder = { teamId: string; isWanted: boolean; answer?: (isWanted: boolean) => void }

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
      const isOwn = heldBy(teamId) >= ofTeam
      const offered = [...holders.values()].find(
        (each) => each.answer && !each.isWanted && (!isOwn || each.teamId === teamId),
      )
      if (!offered) continue
      offered.isWanted = true
      offered.answer?.(true)
    }
  }

  function leave(waiter: Waiter, isAdmitted: boolean): void {
    waiters = waiters.filter((each) => each !== waiter)
    waiter.admit(isAdmitted)
  }

  function keep(id: string): void {
    const holder = holders.get(id)
    holder?.answer?.(false)
    delete holder?.answer
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
    offer(id) {
      const holder = holders.get(id)
      if (!holder) return Promise.resolve(false)
      keep(id)
      return new Promise((resolve) => {
        holder.answer = resolve
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
  offer(): Promise<boolean>
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
      return { end, offer: () => keeper.offer(id), keep: () => keeper.keep(id) }
    },
  }
}
