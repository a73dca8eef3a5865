/**
 * Sign-out, and the list of a user's sessions, in place of better-auth's own: sessions are identified by
 * their ids, since their tokens aren't stored, and an unavailable store is never reported as success.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Store } from '../../../stores/db/store.ts'
import { endOtherSessions, endSession, endSessionById, listSessions } from './sessions.ts'

const done = { success: true }

/** The plugin; its endpoints replace better-auth's of the same names. */
export function sessionEndpoints(store: Store, nowMs: () => number): BetterAuthPlugin {
  return {
    id: 'svc-sessions',
    endpoints: {
      signOut: createAuthEndpoint('/sign-out', { method: 'POST', requireHeaders: true }, async (ctx) => {
        const { name } = ctx.context.authCookies.sessionToken
        const token = await ctx.getSignedCookie(name, ctx.context.secret)
        if (token) await endSession(store, token)
        deleteSessionCookie(ctx)
        return ctx.json(done)
      }),
      listSessions: createAuthEndpoint(
        '/list-sessions',
        { method: 'GET', requireHeaders: true, use: [sensitiveSessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session
          return ctx.json(await listSessions(store.db, { userId: user.id, sessionId: session.id }, nowMs()))
        },
      ),
      revokeSession: createAuthEndpoint(
        '/revoke-session',
        {
          method: 'POST',
          requireHeaders: true,
          use: [sensitiveSessionMiddleware],
          body: z.object({ id: z.string() }),
        },
        async (ctx) => {
          const { user, session } = ctx.context.session
          await endSessionById(store, { userId: user.id, sessionId: session.id }, ctx.body.id)
          if (ctx.body.id === session.id) deleteSessionCookie(ctx)
          return ctx.json(done)
        },
      ),
      revokeOtherSessions: createAuthEndpoint(
        '/revoke-other-sessions',
        { method: 'POST', requireHeaders: true, use: [sensitiveSessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session
          await endOtherSessions(store, { userId: user.id, sessionId: session.id })
          return ctx.json(done)
        },
      ),
    },
  }
}
