/** Retries while the server is unavailable, for example while it restarts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../api/client/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { explain } from '../explain.ts'

const firstWaitMs = 250
const maxWaitMs = 10_000

/** The longest that a server may have the command wait at once; a timer of a month would fire immediately. */
const maxRefusedMs = 60_000

export type Patience = {
  /** Aborts the wait. */
  signal: AbortSignal
  /** Called when the first attempt fails. */
  onAway?: () => void
}

/** Passed to the call: the client doesn't retry it, too. */
type Once = { context: { retry: false } }

/**
 * Makes a read-only call, and retries it for as long as the server is unavailable or busy, doubling the wait.
 * @throws other errors of `call`; the signal's reason when that aborts.
 */
export async function patiently<T>(
  call: (once: Once) => Promise<T>,
  { signal, onAway }: Patience,
): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    let refusedMs = 0
    try {
      return await call({ context: { retry: false } })
    } catch (error) {
      signal.throwIfAborted()
      if (explain(error).exitCode !== exitCodes.unavailable) throw error
      if (isTRPCClientError<AppRouter>(error))
        refusedMs = Math.min(error.data?.retry_after_ms ?? 0, maxRefusedMs)
    }
    if (waitMs === firstWaitMs) onAway?.()
    await sleep(Math.max(waitMs, refusedMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
