/** Goes on through times in which the server gives no answer, as while it starts again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes } from '../exit-codes.ts'
import { explain } from '../explain.ts'

const firstWaitMs = 250
const maxWaitMs = 10_000

export type Patience = {
  /** Ends the waiting. */
  signal: AbortSignal
  /** Called when an answer fails to come for the first time. */
  onAway?: () => void
}

/**
 * Makes a call that changes nothing, and again for as long as the server is away or busy, each time after twice the wait.
 * @throws what `call` throws otherwise; the signal's reason when that aborts.
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
