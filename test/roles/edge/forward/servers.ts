/** Servers of deployments that run already: a test says where. */
import type {
  LeaseOutcome,
  ServerLease,
  Servers,
  ServerWanted,
} from '../../../../src/platform/servers/servers.ts'

export type TestServers = Servers & {
  /** What each lease was for. */
  wanted: ServerWanted[]
  /** How many leases there are. */
  leased(): number
  outcomes: (LeaseOutcome | undefined)[]
}

type Found = Pick<ServerLease, 'path'> & Partial<Pick<ServerLease, 'start'>>

/** Leases of whatever `find` finds at the time. */
export function createTestServers(
  find: (wanted: ServerWanted, signal: AbortSignal) => Found | Promise<Found>,
): TestServers {
  const wanted: ServerWanted[] = []
  const outcomes: (LeaseOutcome | undefined)[] = []
  let count = 0
  return {
    wanted,
    outcomes,
    leased: () => count,
    async lease(each, signal) {
      wanted.push(each)
      const { path, start = path } = await find(each, signal)
      count += 1
      let isHeld = true
      return {
        path,
        start,
        end(outcome) {
          if (!isHeld) return
          isHeld = false
          count -= 1
          outcomes.push(outcome)
        },
      }
    },
  }
}
