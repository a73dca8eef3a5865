/** One line a minute about requests, for a terminal: a page of the dashboard alone sends dozens. */

const minuteMs = 60_000

/** `ms` is the duration. */
export type Answered = { status: number; ms: number }

/**
 * A function that counts a request. A minute after the first one that it counts, `write` gets a line about
 * all of them.
 */
export function summarizeRequests(write: (text: string) => void): (request: Answered) => void {
  let counts = new Map<number, number>()
  let slowestMs = 0

  function end(): void {
    write(lineOf(counts, slowestMs))
    counts = new Map()
    slowestMs = 0
  }

  return ({ status, ms }) => {
    if (counts.size === 0) setTimeout(end, minuteMs).unref()
    const kind = Math.floor(status / 100)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    slowestMs = Math.max(slowestMs, ms)
  }
}

/** `34 requests in a minute: 30 × 2xx, 4 × 4xx, the slowest 12 ms`. */
function lineOf(counts: ReadonlyMap<number, number>, slowestMs: number): string {
  const kinds = [...counts].toSorted(([one], [other]) => one - other)
  const all = kinds.reduce((sum, [, count]) => sum + count, 0)
  const parts = kinds.map(([kind, count]) => `${count} × ${kind}xx`)
  const requests = all === 1 ? '1 request' : `${all} requests`
  return `${requests} in a minute: ${parts.join(', ')}, the slowest ${Math.round(slowestMs)} ms`
}
