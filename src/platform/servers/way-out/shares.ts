/** How many connections, and how many bytes, the servers of a team have. */

/** The share of the team of one server. */
export type Share = {
  /** Takes a place for a connection: the function that gives it back, or which bound is met. */
  take(): (() => void) | 'crowded' | 'full'
  /** Counts bytes, and returns for how many milliseconds there are to be no more. */
  spend(bytes: number): number
  /** The server has ended. */
  leave(): void
}

/** Connections at a time, and bytes per second and at once, of a team; and connections of a node. */
export type ShareBounds = { perTeam: number; inAll: number; bytesPerS: number; burstBytes: number }

const mebibyte = 1024 * 1024

export const shareBounds: ShareBounds = {
  perTeam: 256,
  inAll: 1_024,
  bytesPerS: 64 * mebibyte,
  burstBytes: 256 * mebibyte,
}

/** `bytes` are below zero while it owes some. */
type TeamShare = { servers: number; connections: number; bytes: number; filledMs: number }

/** The shares of all teams of a node; `now` is a monotonic clock in milliseconds. */
export function createShares(now: () => number, bounds = shareBounds): { of(teamId: string): Share } {
  const { perTeam, inAll, bytesPerS, burstBytes } = bounds
  const teams = new Map<string, TeamShare>()
  let open = 0

  function teamOf(id: string): TeamShare {
    const known = teams.get(id)
    if (known) return known
    const team = { servers: 0, connections: 0, bytes: burstBytes, filledMs: now() }
    teams.set(id, team)
    return team
  }

  return {
    of(teamId) {
      const team = teamOf(teamId)
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
        spend(bytes) {
          const nowMs = now()
          const filled = team.bytes + ((nowMs - team.filledMs) / 1_000) * bytesPerS
          team.bytes = Math.min(burstBytes, filled) - bytes
          team.filledMs = nowMs
          return team.bytes >= 0 ? 0 : Math.ceil((-team.bytes / bytesPerS) * 1_000)
        },
        leave() {
          team.servers -= 1
          if (team.servers === 0) teams.delete(teamId)
        },
      }
    },
  }
}
