/** Says in the log that connections beyond a limit are closed, which their clients see as an error. */
import type { Logger } from '../../lib/log/logger.ts'

/** At most one line a minute. */
const everyMs = 60_000

/** A burst is over when it is written. */
const gatherMs = 1_000

/** Further addresses count in the sum alone. */
const maxAddresses = 1_000

/**
 * Returns what counts a closed connection of an address to `target`. Each line has the address of which most
 * were closed, how many, and the sum of all.
 */
export function createCutLog(log: Logger, target: 'sites' | 'api'): (address: string) => void {
  const counts = new Map<string, number>()
  let cut = 0
  let isDue = false
  let writtenMs = Number.NEGATIVE_INFINITY

  function write(): void {
    isDue = false
    writtenMs = performance.now()
    const [first] = [...counts].sort(([, one], [, other]) => other - one)
    log.warn(
      { target, address: first?.[0], cut_of_address: first?.[1], cut },
      'Closed connections of addresses with as many as SVC_EDGE_CONNECTIONS allows.',
    )
    counts.clear()
    cut = 0
  }

  return (address) => {
    cut += 1
    const count = counts.get(address)
    if (count !== undefined || counts.size < maxAddresses) counts.set(address, (count ?? 0) + 1)
    if (isDue) return
    isDue = true
    setTimeout(write, Math.max(gatherMs, writtenMs + everyMs - performance.now())).unref()
  }
}
