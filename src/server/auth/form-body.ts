/** Reads the bodies of HTML forms. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { bodyTooLarge, readBody } from '../read-body.ts'

const maxBytes = 8 * 1024

/** Makes `scope` take forms (URL Standard, section 5) and nothing else; handlers get the last value of each field. */
export function acceptForms(scope: FastifyInstance, timeoutMs: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
    const bytes = await readBody(request.raw, { maxBytes, timeoutMs })
    return Object.fromEntries(new URLSearchParams(bytes.toString()))
  })
  scope.addContentTypeParser('*', async () => {
    throw new AppError('unsupported_content_type', 'Send the form as application/x-www-form-urlencoded.')
  })
}
