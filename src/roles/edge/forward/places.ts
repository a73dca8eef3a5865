/** How many requests are passed on at a time, and how many wait until others end. */

/** Whose site it is, what names the server, and the bucket of the visitor's address. */
type Asker = { teamId: string; projectId: string; origin: string; address: string }

export type Places = {
  /**
   * Resolves to the function that gives the place back; to undefined where too many wait already, after
   * `waitMs`, or when `signal` aborts.
   */
  take(asker: Asker, signal: AbortSignal): Promise<(() => void) | undefined>
}

/**
 * How many there may be: `perOrigin` of one project to one server; `perAddress` of those for one visitor, or
 * in all where they wait.
 */
type Most = { perAddress: number; perOrigin: number; perTeam: number; inAll: number }

type Bounds = { held: Most; waiting: Most; waitMs: number }

const waitMs = 30_000

/** The bounds of a node for what goes to the servers of rules. */
export const boundsOfNode: Bounds = {
  held: { perAddress: 32, perOrigin: 64, perTeam: 256, inAll: 1_024 },
  waiting: { perAddress: 32, perOrigin: 128, perTeam: 128, inAll: 256 },
  waitMs,
}

/**
 * The bounds of a node for what goes to servers of deployments; more connections don't wait in the queue of a
 * Unix socket.
 */
export const boundsOfServers: Bounds = {
  held: { perAddress: 32, perOrigin: 64, perTeam: 512, inAll: 1_024 },
  waiting: { perAddress: 32, perOrigin: 256, perTeam: 512, inAll: 1_024 },
  waitMs,
}

type Waiter = { asker: Asker; end(giveBack: (() => void) | undefined): void }

const projectAndOrigin = ({ projectId, origin }: Asker) => `${projectId} ${origin}`

/** Counts askers by what their limits are of; of one address by `addressKey`. */
function createCounts(bounds: Most, share: number, addressKey: (asker: Asker) => string) {
  const counts = new Map<string, number>()
  const most = (count: number) => Math.max(1, Math.floor(count * share))
  const [inAll, perTeam, perOrigin, perAddress] = [
    most(bounds.inAll),
    most(bounds.perTeam),
    most(bounds.perOrigin),
    most(bounds.perAddress),
  ]
  const isBelow = (key: string, limit: number) => (counts.get(key) ?? 0) < limit
  const keysOf = (asker: Asker) => ['', asker.teamId, projectAndOrigin(asker), addressKey(asker)] as const
  return {
    hasRoom(asker: Asker): boolean {
      const [all, team, origin, address] = keysOf(asker)
      return (
        isBelow(all, inAll) &&
        isBelow(team, perTeam) &&
        isBelow(origin, perOrigin) &&
        isBelow(address, perAddress)
      )
    },
    /** Returns the function that takes it out again, once. */
    add(asker: Asker): () => void {
      const keys = keysOf(asker)
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        for (const key of keys) {
          const left = (counts.get(key) ?? 1) - 1
          if (left === 0) counts.delete(key)
          else counts.set(key, left)
        }
      }
    },
  }
}

/**
 * The places of a process that is `share` of a node. Whoever waits longest is next, unless its own limit is
 * reached.
 */
export function createPlaces(bounds: Bounds = boundsOfNode, share = 1): Places {
  const held = createCounts(bounds.held, share, (asker) => `${projectAndOrigin(asker)} ${asker.address}`)
  const waiting = createCounts(bounds.waiting, share, ({ address }) => address)
  const waiters = new Set<Waiter>()

  function hold(asker: Asker): () => void {
    const release = held.add(asker)
    return () => {
      release()
      letIn()
    }
  }

  function letIn(): void {
    for (const waiter of waiters) {
      if (held.hasRoom(waiter.asker)) waiter.end(hold(waiter.asker))
    }
  }

  function wait(asker: Asker, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const give = () => waiter.end(undefined)
      const late = setTimeout(give, bounds.waitMs).unref()
      const leave = waiting.add(asker)
      const waiter: Waiter = {
        asker,
        end(giveBack) {
          clearTimeout(late)
          signal.removeEventListener('abort', give)
          waiters.delete(waiter)
          leave()
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
      if (held.hasRoom(asker)) return hold(asker)
      return waiting.hasRoom(asker) ? wait(asker, signal) : undefined
    },
  }
}
