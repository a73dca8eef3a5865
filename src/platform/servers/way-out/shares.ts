/** How many connections, and how many bytes, the servers of a team have. */

/** The share of the team of one server. */
export type Share = {
  /** Takes a place for a connection: the function that gives it back, or which bound is met. */
  take(): (() => void) | 'crowded' | 'full'
  /** Counts a new connection, and returns for how many milliseconds it is to wait. */
  begin(): number
  /** Counts bytes, and returns for how many milliseconds there are to be no more. */
  spend(bytes: number): number
  /** The server has ended. */
  leave(): void
}

/** A bound that fills by the second: what is taken beyond `burst` is owed, and waits. */
type Flow = { perSecond: number; burst: number }

/** Connections of a team and of a node at a time; and what a team may begin and move. */
export type ShareBounds = { perTeam: number; inAll: number; connections: Flow; bytes: Flow }

const mebibyte = 1024 * 1024

export const shareBounds: ShareBounds = {
  perTeam: 256,
  inAll: 1_024,
  connections: { perSecond: 200, burst: 1_000 },
  bytes: { perSecond: 64 * mebibyte, burst: 256 * mebibyte },
}

/** The shares of all teams of a node; `now` is a monotonic clock in milliseconds. */
export function createShares(now: () => number, bounds = shareBounds): { of(teamId: string): Share } {
  const { perTeam, inAll } = bounds
  const teams = new Map<string, ReturnType<typeof newTeam>>()
  let open = 0

  const newTeam = () => ({
    servers: 0,
    connections: 0,
    begin: flowing(bounds.connections, now),
    spend: flowing(bounds.bytes, now),
  })

  return {
    of(teamId) {
      const team = teams.get(teamId) ?? newTeam()
      teams.set(teamId, team)
      team.servers += 1
      return {
        take() {
          if (team.connections >= perTeam) return 'crowded'
          if (open >= inAll) return 'full'
          team.connections += 1
          open += 1
          let isTaken = true
          return () => {
            if (!isTaken) return
            isTaken = false
            team.connections -= 1
            open -= 1
          }
        },
        begin: () => team.begin(1),
        spend: team.spend,
        leave() {
          team.servers -= 1
          if (team.servers === 0) teams.delete(teamId)
        },
      }
    },
  }
}

/** Returns a function that takes an amount, and returns how long what is owed takes, in milliseconds. */
function flowing({ perSecond, burst }: Flow, now: () => number): (amount: number) => number {
  let left = burst
  let filledMs = now()
  return (amount) => {
    const nowMs = now()
    left = Math.min(burst, left + ((nowMs - filledMs) / 1_000) * perSecond) - amount
    filledMs = nowMs
    return left >= 0 ? 0 : Math.ceil((-left / perSecond) * 1_000)
  }
}
