/** Says that a command waits for a busy server, and why. */
import type { RetryOptions } from '../../client/retry-link.ts'
import type { Io } from '../io.ts'
import { warn } from '../terminal/output.ts'

/** Shorter waits aren't worth a line. */
const shortMs = 500

/** At a terminal, a line that disappears when the wait is over or Ctrl-C is pressed; elsewhere a plain line. */
export function announceWait({
  stderr,
  env,
  signal,
}: Pick<Io, 'stderr' | 'env' | 'signal'>): NonNullable<RetryOptions['onWait']> {
  return (ms, why) => {
    if (ms < shortMs) return
    const line = `Waiting ${Math.ceil(ms / 1_000)} s: ${why}.`
    if (!stderr.isTTY || env.TERM === 'dumb') return warn({ stderr }, line)
    stderr.write(`\r${line}\u001b[K`)
    const clear = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', clear)
      stderr.write('\r\u001b[K')
    }
    const timer = setTimeout(clear, ms).unref()
    signal.addEventListener('abort', clear)
  }
}
