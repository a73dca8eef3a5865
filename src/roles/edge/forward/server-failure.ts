/** The answers to visitors where a deployment's own server gives none; they say nothing of what it runs. */
import { ServerRefused } from '../../../platform/servers/servers.ts'
import { plainResponse, withRetryAfter } from '../responses/plain-responses.ts'
import type { SiteResponse } from '../responses/response.ts'
import { SilentError } from './silence.ts'

/** For a server that doesn't run, can't be reached, says nothing, or whose answer is none. */
export function serverFailedResponse(error: unknown): SiteResponse {
  if (error instanceof SilentError) return plainResponse(504)
  if (!(error instanceof ServerRefused)) return plainResponse(502)
  const answer = plainResponse(error.refusal === 'crashed' ? 502 : 503)
  const { retryAfterMs } = error
  return retryAfterMs === undefined ? answer : withRetryAfter(answer, Math.ceil(retryAfterMs / 1_000))
}
