/** Errors for builds that ended without a site. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { Failure, type FailureBody } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

type Deployment = RouterOutputs['deployments']['get']

const reasons: Partial<Record<string, FailureBody['reason']>> = {
  build_failed: 'build_failed',
  build_timeout: 'build_timeout',
  build_out_of_memory: 'build_out_of_memory',
  start_failed: 'start_failed',
  release_failed: 'release_failed',
  worker_lost: 'worker_lost',
  queue_timeout: 'queue_timeout',
  builds_not_available: 'builds_not_available',
}

/** @throws Failure for a deployment that ended without a site. */
export function requireSite({ id, state, error }: Deployment): void {
  if (state === 'canceled') {
    throw new Failure(exitCodes.failure, { reason: 'canceled', message: `${id} was canceled.` })
  }
  if (!error) return
  const reason = reasons[error.reason] ?? 'failed'
  const message = `${id}: ${reason}: ${error.message}`
  throw new Failure(exitCodes.failure, { reason, message, ...(error.excerpt && { items: error.excerpt }) })
}
