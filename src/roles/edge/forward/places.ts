/** How many requests are passed on at a time, and how many wait until others end. */

/** Whose site it is, where the request goes, and the bucket of the visitor's address. */
type Asker = { teamId: string; projectId: string; origin: string; address: string }

export type Places = {
  /**
   * Resolves to the function that gives the place back; to undefined where too many wait already, after
   * `waitMs`, or when `signal` aborts.
   */
  take(asker: Asker, signal: AbortSignal): Promise<(() => void) | undefined>
}

/**
 * `perOrigin` is of one project to one origin, `perAddress` the part of it for one visitor, of whom as many
 * wait.
 */
type Bounds = {
  perAddress: number
  perOrigin: number
  perTeam: number
  inAll: number
  waiting: number
  waitMs: number
}

/** The bounds of a node. */
export const boundsOfNode: Bounds = {
  perAddress: 32,
  perOrigin: 64,
  perTeam: 256,
  inAll: 1_024,
  waiting: 256,
  waitMs: 30_000,
}

/** The part of what waits that may be of one team. */
const teamShare = 1 / 2

type Waiter = { asker: Asker; end(giveBack: (() => void) | undefined): void }

/**
 * The places of a process that is `share` of a node. Whoever waits longest is next, unless its own limit is
 * reached.
 */
export function createPlaces(bounds: Bounds = boundsOfNode, share = 1): Places {
  const most = (count: number) => Math.max(1, Math.floor(count * share))
  const held = new Map<string, number>()
  const waiters = new Set<Waiter>()
  const limitsOf = ({ teamId, projectId, origin, address }: Asker): [key: string, most: number][] => [
    ['', most(bounds.inAll)],
    [teamId, most(bounds.perTeam)],
    [`${projectId} ${origin}`, most(bounds.perOrigin)],
    [`${projectId} ${origin} ${address}`, most(bounds.perAddress)],
  ]
  const isFree = (asker: Asker) => limitsOf(asker).every(([key, limit]) => (held.get(key) ?? 0) < limit)

  function hold(asker: Asker): () => void {
    const keys = limitsOf(asker).map(([key]) => key)
    for (const key of keys) held.set(key, (held.get(key) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const key of keys) {
        const left = (held.get(key) ?? 1) - 1
        if (left === 0) held.delete(key)
        else held.set(key, left)
      }
      letIn()
    }
  }

  function letIn(): void {
    for (const waiter of waiters) {
      if (isFree(waiter.asker)) waiter.end(hold(waiter.asker))
    }
  }

  function mayWait({ teamId, address }: Asker): boolean {
    const limit = most(bounds.waiting)
    const all = [...waiters]
    const ofTeam = all.filter(({ asker }) => asker.teamId === teamId).length
    const ofAddress = all.filter(({ asker }) => asker.address === address).length
    return all.length < limit && ofTeam < Math.ceil(limit * teamShare) && ofAddress < most(bounds.perAddress)
  }

  function wait(asker: Asker, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const give = () => waiter.end(undefined)
      const late = setTimeout(give, bounds.waitMs).unref()
      const waiter: Waiter = {
        asker,
        end(giveBack) {
          clearTimeout(late)
          signal.removeEventListener('abort', give)
          waiters.delete(waiter)
          resolve(giveBack)
        },
      }
      signal.addEventListener('abort', give)
      waiters.add(waiter)
    })
  }

  return {
    async take(asker, signal) {
      if (signal.aborted) return undefined
      if (isFree(asker)) return hold(asker)
      return mayWait(asker) ? wait(asker, signal) : undefined
    },
  }
}
