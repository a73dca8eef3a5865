/** The id of a request in responses and logs. */
import type { IncomingHttpHeaders } from 'node:http'
import { newId } from '../../../lib/ids.ts'
import { mayHoldToken } from '../../../lib/log/redact-secrets.ts'

/**
 * The client's `x-request-id` if it is 8 to 128 letters, digits, `.`, `_` or `-`, and no credential; else a
 * new one.
 */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) && !mayHoldToken(given)) return given
  return newId('request', Date.now())
}
