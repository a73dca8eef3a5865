/** Refuses an Idempotency-Key on several calls at once, for which one key can't stand. */
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../errors.ts'
import type { RpcRoute } from './single-call.ts'

/** @throws AppError `invalid_input` for a batch of mutations, also one of a single call, that comes with a key. */
export function refuseBatchedKey({ method, headers, query, params }: FastifyRequest<RpcRoute>): void {
  if (headers['idempotency-key'] === undefined || method !== 'POST') return
  if (query.batch === undefined && !params['*'].includes(',')) return
  throw invalidField('Idempotency-Key', 'names one call: send that call without a batch')
}
