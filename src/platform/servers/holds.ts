/** Requests wait for the start of a server: not too many, and not too long. */
import { ServerRefused } from './servers.ts'

/**
 * The most that wait: of one address, one server, one team, on the node; and for how many milliseconds,
 * usually and where a start takes long.
 */
export type HoldBounds = {
  ofAddress: number
  ofServer: number
  ofTeam: number
  ofNode: number
  holdMs: number
  longMs: number
}

/** `isLong`: its start takes longer than usual, since another server has to end before. */
type Held = { server: string; teamId: string; address: string | undefined; isLong: boolean }

export type Holds = {
  /**
   * Settles as `start` does, which goes on without it.
   * @throws ServerRefused `busy` where too many wait, `starting` after the time; the reason of `signal` once
   * that aborts.
   */
  wait<T>(of: Held, start: Promise<T>, signal: AbortSignal): Promise<T>
  count(): number
}

const againMs = 5_000

export function createHolds({ ofAddress, ofServer, ofTeam, ofNode, ...bounds }: HoldBounds): Holds {
  const held = new Map<string, number>()
  let count = 0

  const of = (name: string) => held.get(name) ?? 0

  function add(name: string, more: number): void {
    const left = of(name) + more
    if (left === 0) held.delete(name)
    else held.set(name, left)
  }

  return {
    async wait({ server, teamId, address, isLong }, start, signal) {
      signal.throwIfAborted()
      const most = new Map([
        [`server ${server}`, ofServer],
        [`team ${teamId}`, ofTeam],
      ])
      if (address !== undefined) most.set(`address ${address}`, ofAddress)
      const names = [...most.keys()]
      if (count >= ofNode || names.some((name) => of(name) >= (most.get(name) ?? 0)))
        throw new ServerRefused('busy', 'Too many requests wait for servers to start.', againMs)
      for (const name of names) add(name, 1)
      count += 1
      try {
        return await inTime(start, isLong ? bounds.longMs : bounds.holdMs, signal)
      } finally {
        for (const name of names) add(name, -1)
        count -= 1
      }
    },
    count: () => count,
  }
}

function inTime<T>(start: Promise<T>, holdMs: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
    const leave = () => {
      end()
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      end()
      reject(new ServerRefused('starting', 'The server is still starting.', againMs))
    }, holdMs)
    signal.addEventListener('abort', leave)
    start.then(resolve, reject).finally(end)
  })
}
