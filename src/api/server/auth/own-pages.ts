/** Forms are accepted from pages of the API only, or another site could sign a person in as somebody else. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { isOwnPage } from '../../../platform/callers/session-cookie.ts'
import type { ServerDeps } from '../deps.ts'

/**
 * A hook that refuses forms of other sites, before their body is read. Calls back with AppError
 * `origin_not_allowed`.
 */
export function onlyOwnPages({ services }: ServerDeps) {
  return ({ method, headers }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const isOwn = method !== 'POST' || isOwnPage(headers, services.apiUrl)
    done(isOwn ? undefined : otherSite(services.apiUrl))
  }
}

const otherSite = (apiUrl: string) =>
  new AppError(
    'origin_not_allowed',
    `This form was not sent from a page of ${apiUrl}. Open that address, and try again there.`,
  )
