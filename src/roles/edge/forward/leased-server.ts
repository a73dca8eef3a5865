/** The lease of a server for one request, which is renewed where it turns out that the server has ended. */
import { setTimeout as pause } from 'node:timers/promises'
import { hasCode } from '../../../lib/has-code.ts'
import type { LeaseOutcome, ServerLease, Servers, ServerWanted } from '../../../platform/servers/servers.ts'
import type { Failure } from './pass-on.ts'

export type LeasedServer = {
  current(): ServerLease
  /** Whether to try again: once there is a server that hasn't been tried. Rejects as `lease` does. */
  again(failed: Failure): Promise<boolean>
  end(outcome: LeaseOutcome | undefined): void
}

/** So often: whoever runs a server sees its end a moment later than those who find nobody there. */
const maxRenewals = 7

/** The pause before the first renewal, in milliseconds; before each other one it is twice as long. */
const firstPauseMs = 10

/** How long a request tries to reach a server with as many connections waiting as may, and how often. */
const fullMs = 30_000
const fullPauseMs = 10

/** Resolves once the server listens. @throws ServerRefused; the reason of `signal` once that aborts. */
export async function leaseServer(
  servers: Servers,
  wanted: ServerWanted,
  signal: AbortSignal,
): Promise<LeasedServer> {
  let lease = await servers.lease(wanted, signal)
  let renewals = 0
  let fullSinceMs: number | undefined

  async function wait(): Promise<boolean> {
    fullSinceMs ??= performance.now()
    await pause(fullPauseMs, undefined, { signal })
    return performance.now() - fullSinceMs < fullMs
  }

  return {
    current: () => lease,
    async again({ failure, isStale }) {
      // A Unix socket refuses what doesn't fit into its queue.
      if (hasCode(failure, 'EAGAIN')) return wait()
      if (!isStale && !foundNobody(failure)) return false
      if (renewals === maxRenewals) return false
      lease.end()
      await pause(firstPauseMs * 2 ** renewals, undefined, { signal })
      renewals += 1
      lease = await servers.lease(wanted, signal)
      return true
    },
    end: (outcome) => lease.end(outcome),
  }
}

/** Whether no connection came about. */
function foundNobody(failure: unknown): boolean {
  return ['ECONNREFUSED', 'ENOENT'].some((code) => hasCode(failure, code))
}
