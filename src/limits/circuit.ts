/** A circuit breaker: after one failure nobody waits for a service any more, until a look in the background finds it back. */
import type { Logger } from '../log/logger.ts'

/** How long until a service that is away is looked for again, and one that works is looked at, in milliseconds. */
const retryMs = 1_000
const checkMs = 30_000

export type Circuit = {
  /** Whether the service may be used. */
  isClosed(): boolean
  /** The service has failed. */
  open(error: unknown): void
  stop(): void
}

type Options = {
  /** Uses the service; rejects soon when it is away. */
  probe: () => Promise<unknown>
  log: Logger
  /** What the log says when the service goes away and when it comes back. */
  messages: { away: string; back: string }
}

/** Starts with a look at the service: the circuit is open when that fails. */
export async function startCircuit({ probe, log, messages }: Options): Promise<Circuit> {
  let closed = true
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  function lookIn(ms: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(look, ms).unref()
  }

  function open(error: unknown): void {
    if (!closed || stopped) return
    closed = false
    log.warn({ err: error }, messages.away)
    lookIn(retryMs)
  }

  async function look(): Promise<void> {
    try {
      await probe()
      if (!closed) log.info(messages.back)
      closed = true
      lookIn(checkMs)
    } catch (error) {
      open(error)
      lookIn(retryMs)
    }
  }

  await look()
  return {
    isClosed: () => closed,
    open,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
