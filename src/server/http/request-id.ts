/** The id that a request carries through answers and logs. */
import type { IncomingHttpHeaders } from 'node:http'
import { newId } from '../../ids.ts'
import { mayHoldToken } from '../../log/redact-secrets.ts'

/** The client's own `x-request-id` where it is 8 to 128 letters, digits, `.`, `_` or `-`, and no credential; else a new one. */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) && !mayHoldToken(given)) return given
  return newId('request', Date.now())
}
