/** Lets pages of other origins call the API (Fetch standard, section 3.3), never with cookies. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What answers say to pages of other origins. */
export type Cors = {
  /** The headers for a request; undefined where it has no origin, or one that isn't allowed. */
  headersFor(request: FastifyRequest): Record<string, string> | undefined
  /** What every answer depends on, allowed or not, besides what it says itself. */
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

/** Browsers keep a preflight's answer for so long, at most; in seconds. */
const maxAgeS = '7200'

/** For pages of `origins`, or of all where they are `*`. */
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

/** Whether the browser only asks if it may send a request, which needs no credential. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Tells the browser what it may send; whether that is good is for the request itself. */
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
