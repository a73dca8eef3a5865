/**
 * The procedures that an RPC request names: what is counted, limited and logged is what tRPC's adapter runs.
 */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'

/** Fastify's parsed path and query; repeated query parameters are arrays. */
export type RpcRoute = { Params: { '*': string }; Querystring: Record<string, string | string[]> }

export type RpcRequest = FastifyRequest<RpcRoute>

/** The maximum calls of one batch; the client in `api/client/index.ts` observes it. */
export const maxBatchSize = 100

/**
 * The names, as tRPC's adapter reads them from a path without `%`: a list where the request is a batch, else
 * one. Of a batch that is too large, which the adapter refuses, no more than the maximum.
 */
export function calledNames(request: RpcRequest): string[] {
  const path = request.params['*']
  return isBatch(request) ? path.split(',', maxBatchSize) : [path]
}

/** Whether the response is an array, with an element for each name. */
export function isBatch({ query }: RpcRequest): boolean {
  return firstOf(query.batch) === '1'
}

/** The value of a parameter; the first one counts where it is given more than once. */
export function firstOf(parameter: string | string[] | undefined): string | undefined {
  return Array.isArray(parameter) ? parameter[0] : parameter
}

/**
 * The refusal of a path whose names would be others once they are decoded again, as the adapter does; else
 * undefined.
 */
export function encodedNames({ params }: RpcRequest): AppError | undefined {
  if (!params['*'].includes('%')) return undefined
  return new AppError(
    'malformed_request',
    'The names of procedures have no "%": encode the path once, if at all.',
  )
}
