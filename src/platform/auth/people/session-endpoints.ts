/**
 * Sign-out, the list of a user's sessions, and changes of the password, in place of better-auth's own:
 * sessions are identified by their ids, since their tokens aren't stored, an unavailable store is never
 * reported as success, and wrong passwords are counted.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Store } from '../../../stores/db/store.ts'
import { changePassword } from './change-password.ts'
import { addressHeader } from './paths.ts'
import { keepProof } from './prove-session.ts'
import { endOtherSessions, endSession, endSessionById, readSessions } from './sessions.ts'

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
          const rows = await readSessions({ db: store.db, nowMs: nowMs() }, user.id)
          return ctx.json(
            rows.map((row) => ({
              id: row.id,
              createdAt: new Date(row.createdMs),
              updatedAt: new Date(row.updatedMs),
              expiresAt: new Date(row.expiresMs),
              ipAddress: row.ipAddress || null,
              userAgent: row.userAgent || null,
              current: row.id === session.id,
            })),
          )
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
      changePassword: createAuthEndpoint(
        '/change-password',
        {
          method: 'POST',
          requireHeaders: true,
          use: [sensitiveSessionMiddleware],
          body: z.object({ currentPassword: z.string(), newPassword: z.string() }),
        },
        async (ctx) => {
          const { user, session } = ctx.context.session
          const { currentPassword, newPassword } = ctx.body
          const asking = { userId: user.id, sessionId: session.id }
          await changePassword(
            { store, nowMs },
            { ...asking, address: ctx.headers.get(addressHeader) ?? '' },
            { current_password: currentPassword, new_password: newPassword },
            'currentPassword',
          )
          // The cookie is replaced as well: whoever has a copy of it is out, too.
          const created = await ctx.context.internalAdapter.createSession(user.id)
          await keepProof(store, session.id, created.id)
          await endSessionById(store, asking, session.id)
          await setSessionCookie(ctx, { session: created, user })
          return ctx.json({ token: created.token, user })
        },
      ),
    },
  }
}
