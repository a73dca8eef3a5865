/** Retries a call whose response may have been lost. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../client/index.ts'
import { Failure } from '../failure.ts'

/** The number of attempts, and the first wait, which doubles each time: four seconds in all. */
const maxAttempts = 5
const firstWaitMs = 250

/** Responses of a server that may still run the call, or have run it. */
const unanswered = new Set(['idempotency_in_progress', 'store_unavailable', 'stopping'])

/**
 * Makes `call` with an Idempotency-Key, and retries it with the same key, so that it takes effect once. A server that
 * doesn't respond the first time isn't waited for.
 * @throws the error of `call` if it is no lost response, or the last one.
 */
export async function untilAnswered<T>(
  call: (context: { idempotencyKey: string }) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const context = { idempotencyKey: randomUUID() }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(context)
    } catch (error) {
      signal.throwIfAborted()
      const isLost = wasCutOff(error, attempt > 1) || isUnanswered(error)
      if (attempt === maxAttempts || !isLost) throw error
    }
    await sleep(firstWaitMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Whether the connection was lost or, if the server `wasThere`, can no longer be made. */
function wasCutOff(error: unknown, wasThere: boolean): boolean {
  const failure = error instanceof Error ? error.cause : undefined
  if (!(failure instanceof Failure && failure.cause instanceof Error && 'code' in failure.cause)) return false
  const { code } = failure.cause
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'ECONNREFUSED' && wasThere)
}

function isUnanswered(error: unknown): boolean {
  return isTRPCClientError<AppRouter>(error) && unanswered.has(error.data?.reason ?? '')
}
