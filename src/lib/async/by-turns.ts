/** Work of many clients, by turns, and so little in each turn of the event loop that others hardly wait. */

/**
 * How long work is begun in one turn of the event loop, in milliseconds. Node accepts one connection in each,
 * so that long ones add up for those who connect.
 */
const beginMs = 2

/**
 * The returned function queues `act` of a client, which is called later: of each client one before a second
 * of any, in their order, for two milliseconds in a turn of the event loop, and at most `most` of them, where
 * what they begin takes longer than they do.
 */
export function createTurns<Client>(most = Number.POSITIVE_INFINITY) {
  /** Those whose turn is next come first. */
  const waiting = new Map<Client, (() => void)[]>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(actForSome)
  }

  function actForSome(): void {
    isScheduled = false
    const endMs = performance.now() + beginMs
    let left = most
    // What is added in the loop comes at its end.
    for (const [client, acts] of waiting) {
      const act = acts.shift()
      waiting.delete(client)
      if (acts.length > 0) waiting.set(client, acts)
      schedule()
      act?.()
      left -= 1
      if (left === 0 || performance.now() >= endMs) break
    }
  }

  return (client: Client, act: () => void): void => {
    const queued = waiting.get(client)
    if (queued) queued.push(act)
    else waiting.set(client, [act])
    schedule()
  }
}
