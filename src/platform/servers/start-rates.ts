/** How often servers may be started: whoever wakes a thousand previews mustn't keep others from theirs. */
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import type { Rate } from '../limits/rate.ts'
import { ServerRefused, type ServerWanted } from './servers.ts'

const ofTeam: Rate = { perSecond: 2, burst: 120 }

/** One each 2 s. */
const ofAddress: Rate = { perSecond: 1, burst: 30, refill: { tokens: 1, everyMs: 2_000 } }

export type StartRates = {
  /** Draws a start. @throws ServerRefused `busy`. */
  draw(wanted: Pick<ServerWanted, 'teamId' | 'address'>): void
}

/** `now` is a monotonic clock in milliseconds. */
export function createStartRates(now: () => number): StartRates {
  const teams = createMemoryLimiter(ofTeam, now)
  const addresses = createMemoryLimiter(ofAddress, now)
  return {
    draw({ teamId, address }) {
      const byAddress = address === undefined ? undefined : addresses.draw(address, 1)
      if (byAddress?.allowed === false) throw tooMany(byAddress.waitMs)
      const byTeam = teams.draw(teamId, 1)
      if (byTeam.allowed) return
      if (address !== undefined) addresses.giveBack(address, 1)
      throw tooMany(byTeam.waitMs)
    },
  }
}

const tooMany = (waitMs: number) =>
  new ServerRefused('busy', 'Too many servers were started a moment ago.', waitMs)
