/** Who is signed in at a browser. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sessionCookie } from '../../../platform/callers/session-cookie.ts'
import { basePath } from '../../../platform/people/paths.ts'
import type { ServerDeps } from '../deps.ts'
import { forward, passCookies } from './browser-request.ts'

const sessionSchema = z
  .object({
    session: z.object({ id: z.string() }),
    user: z.object({ id: z.string(), email: z.string(), emailVerified: z.boolean(), name: z.string() }),
  })
  .nullable()

/** `email` is only claimed by an unproven account. */
export type SignedIn = { id: string; sessionId: string; email: string; isUnproven: boolean; name: string }

/**
 * The person of the request's session cookie, if any; extends the session, or removes a stale cookie, in the
 * reply.
 * @throws AppError `store_unavailable`.
 */
export async function findSignedIn(
  deps: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | undefined> {
  const { cookie } = request.headers
  if (cookie === undefined || sessionCookie(cookie, deps.services.apiUrl) === undefined) return undefined
  const call = { method: 'GET', url: `${basePath}/get-session`, via: 'password' } as const
  const response = await forward(deps, request, call)
  passCookies(response, reply)
  const found = sessionSchema.parse(await response.json())
  if (!found) return undefined
  const { id, email, emailVerified, name } = found.user
  return { id, sessionId: found.session.id, email, isUnproven: !emailVerified, name }
}
