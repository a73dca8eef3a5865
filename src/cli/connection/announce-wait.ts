/** Says that a command waits for a busy server, and why. */
import type { RetryOptions } from '../../api/client/retry-link.ts'
import type { Io } from '../io.ts'
import { createStatusLine } from '../terminal/status-line.ts'

/** Shorter waits aren't worth a line. */
const shortMs = 500

/**
 * At a terminal, a line that disappears when the wait is over or Ctrl-C is pressed; elsewhere a plain line.
 */
export function announceWait(io: Pick<Io, 'stderr' | 'env' | 'signal'>): NonNullable<RetryOptions['onWait']> {
  return (ms, why) => {
    if (ms < shortMs) return
    const line = createStatusLine(io)
    line.show(`Waiting ${Math.ceil(ms / 1_000)} s: ${why}.`)
    if (!line.replaces) return
    const clear = () => {
      clearTimeout(timer)
      io.signal.removeEventListener('abort', clear)
      line.clear()
    }
    const timer = setTimeout(clear, ms).unref()
    io.signal.addEventListener('abort', clear)
  }
}
