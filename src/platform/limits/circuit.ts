/**
 * A circuit breaker: after one failure calls fail fast, until a background check finds the service available.
 */
import type { Logger } from '../../lib/log/logger.ts'

/** The check intervals while the service is unavailable, and while it is available, in milliseconds. */
const retryMs = 1_000
const checkMs = 30_000

export type Circuit = {
  /** Whether the circuit is closed. */
  isClosed(): boolean
  /** Opens the circuit. */
  open(error: unknown): void
  stop(): void
}

type Options = {
  /** Checks the service; rejects soon when it is unavailable. */
  probe: () => Promise<unknown>
  log: Logger
  /** Log messages for when the service becomes unavailable, and available again. */
  messages: { away: string; back: string }
}

/** Starts with a check: the circuit is open when that fails. */
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
