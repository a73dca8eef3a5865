/** Reads a body that says nothing to anybody. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { wholeWithin, withinPace } from '../http/read-body.ts'

/** As much as content management systems send about one entry. Nothing of it is kept. */
const maxBytes = 1024 * 1024

/**
 * Resolves at the end of the body, which has to come within `timeoutMs`; one that is announced as too large
 * is refused unread.
 * @throws AppError `body_too_large`, `request_timeout`, `malformed_request`.
 */
export async function discardBody({ raw, headers }: FastifyRequest, timeoutMs: number): Promise<void> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  let bytes = 0
  for await (const chunk of withinPace(raw, wholeWithin(timeoutMs))) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge()
  }
}

function tooLarge(): AppError {
  return new AppError('body_too_large', `The body is larger than ${maxBytes} bytes. None is needed here.`)
}
