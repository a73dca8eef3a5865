/** Makes a call again while its answer may only have been lost on the way. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../client/index.ts'
import { Failure } from '../failure.ts'

/** How often, and the first wait in between, which doubles each time: four seconds in all. */
const maxAttempts = 5
const firstWaitMs = 250

/** What a server says that has no answer yet: the call may run, or have run, all the same. */
const unanswered = new Set(['idempotency_in_progress', 'store_unavailable', 'stopping'])

/**
 * Makes `call` with an Idempotency-Key, and again with the same one, so that it takes effect once however often its
 * answer is lost. A server that doesn't answer the first time isn't waited for.
 * @throws what `call` throws that isn't a lost answer, or in the end is.
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

/** Whether the connection was lost or, where the server `wasThere`, can't be made any more. */
function wasCutOff(error: unknown, wasThere: boolean): boolean {
  const failure = error instanceof Error ? error.cause : undefined
  if (!(failure instanceof Failure && failure.cause instanceof Error && 'code' in failure.cause)) return false
  const { code } = failure.cause
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'ECONNREFUSED' && wasThere)
}

function isUnanswered(error: unknown): boolean {
  return isTRPCClientError<AppRouter>(error) && unanswered.has(error.data?.reason ?? '')
}
