/** The answers to visitors where the server behind a rule gives none. */
import { describeFailure } from '../../../platform/webhooks/guard/request-failure.ts'
import { plainResponse, withText } from '../responses/plain-responses.ts'
import type { SiteResponse } from '../responses/response.ts'
import { ConnectTimeoutError } from './origin-request.ts'
import { SilentError } from './silence.ts'

/** For a server that can't be reached, says nothing, or whose answer is none: says why. */
export function failedResponse(error: unknown): SiteResponse {
  if (error instanceof ConnectTimeoutError || error instanceof SilentError) return plainResponse(504)
  return withText(
    plainResponse(502),
    `The server behind this path gave no answer. ${describeFailure(error)}\n`,
  )
}
