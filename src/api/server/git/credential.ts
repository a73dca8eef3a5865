/** Passwords of git, which are the API's own credentials. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../../lib/errors.ts'
import type { Principal } from '../../../platform/callers/principal.ts'
import { factorRequired, lacksFactor } from '../../../platform/callers/require-factor.ts'
import { unauthorized } from '../../../platform/callers/unauthorized.ts'
import { beyondScope } from '../../../platform/callers/workloads/require-opened.ts'

const basic = /^basic +([\w+/]+={0,2})$/i

/**
 * A hook that makes the password of HTTP Basic (RFC 7617) the bearer token of the request, whatever the name
 * of the user. Without one, git asks for it.
 * @throws AppError `unauthorized`.
 */
export function passwordAsToken(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { headers } = request
  const [, encoded] = basic.exec(headers.authorization ?? '') ?? []
  const password = encoded === undefined ? undefined : /^[^:]*:(.*)$/s.exec(decoded(encoded))?.[1]
  // A browser's session never pushes.
  delete headers.cookie
  if (password === undefined || password === '') delete headers.authorization
  else headers.authorization = `Bearer ${password}`
  done()
}

/**
 * A hook, after the caller is known, that takes a team's own credentials alone: tokens of sessions are no
 * passwords, and a trust policy opens no repository. A JWT of a session passes with the second factor that
 * the team may require, as for every call: before any ref is named or changed.
 * @throws AppError `unauthorized`, `scope`, `second_factor_required`.
 */
export function requireTeamCredential(
  { principal }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  done(principal ? refusalOf(principal) : undefined)
}

function refusalOf(principal: Principal): AppError | undefined {
  if (principal.kind === 'workload') return beyondScope('push')
  if (principal.kind === 'session') return unauthorized()
  return lacksFactor(principal) ? factorRequired(principal.teamSlug) : undefined
}

const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8')
