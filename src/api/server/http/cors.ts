/** CORS for pages of other origins (Fetch standard, section 3.3), never with cookies. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The CORS headers of responses. */
export type Cors = {
  /** The headers for a request; undefined without an origin, or for one that isn't allowed. */
  headersFor(request: FastifyRequest): Record<string, string> | undefined
  /** The Vary header of every response, allowed or not. */
  vary: string | undefined
}

const allowedHeaders = [
  'authorization',
  'content-type',
  'idempotency-key',
  'trpc-accept',
  'x-request-id',
  'x-svc-team',
].join(', ')

const exposedHeaders = 'x-request-id, retry-after, ratelimit, ratelimit-policy'

/** How long browsers may cache a preflight response, in seconds. */
const maxAgeS = '7200'

/** For pages of `origins`, or all origins if `*`. */
export function createCors(origins: string[]): Cors {
  const all = origins.includes('*')
  return {
    headersFor({ headers: { origin } }) {
      if (origin === undefined || !(all || origins.includes(origin))) return undefined
      return {
        'access-control-allow-origin': all ? '*' : origin,
        'access-control-expose-headers': exposedHeaders,
      }
    },
    vary: all || origins.length === 0 ? undefined : 'origin',
  }
}

/** Whether this is a preflight request, which needs no credential. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Answers a preflight request; the request itself is checked when it comes. */
export function answerPreflight(reply: FastifyReply): void {
  reply
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': maxAgeS,
    })
    .code(204)
    .send()
}
