/** Retries while the server is unavailable, for example while it restarts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes } from '../exit-codes.ts'
import { explain } from '../explain.ts'

const firstWaitMs = 250
const maxWaitMs = 10_000

export type Patience = {
  /** Aborts the wait. */
  signal: AbortSignal
  /** Called when the first attempt fails. */
  onAway?: () => void
}

/**
 * Makes a read-only call, and retries it while the server is unavailable or busy, doubling the wait.
 * @throws other errors of `call`; the signal's reason when that aborts.
 */
export async function patiently<T>(call: () => Promise<T>, { signal, onAway }: Patience): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await call()
    } catch (error) {
      signal.throwIfAborted()
      if (explain(error).exitCode !== exitCodes.unavailable) throw error
    }
    if (waitMs === firstWaitMs) onAway?.()
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
