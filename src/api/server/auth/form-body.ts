/** Parses the bodies of HTML forms. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import type { BodyBudget } from '../http/body-budget.ts'
import { readHeld } from '../http/held-body.ts'

const maxBytes = 8 * 1024

/** Makes `scope` accept forms (URL Standard, section 5) only; handlers get the last value of each field. */
export function acceptForms(scope: FastifyInstance, bodies: BodyBudget, timeoutMs: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    const bytes = await readHeld(request, bodies, { maxBytes, timeoutMs })
    return Object.fromEntries(new URLSearchParams(bytes.toString()))
  })
  scope.addContentTypeParser('*', async () => {
    throw new AppError('unsupported_content_type', 'Send the form as application/x-www-form-urlencoded.')
  })
}
