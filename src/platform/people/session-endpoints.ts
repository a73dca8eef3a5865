/**
 * Signing in with a password, sign-out, the list of a user's sessions, and changes of the password, in place
 * of better-auth's own: several accounts may claim an address, sessions are identified by their ids, since
 * their tokens aren't stored, an unavailable store is never reported as success, and wrong passwords are
 * counted.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, formCsrfMiddleware, sensitiveSessionMiddleware } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { AppError, invalidField } from '../../lib/errors.ts'
import { secretField } from '../../lib/secret.ts'
import type { Limiter } from '../limits/limiter.ts'
import { changePassword } from './change-password.ts'
import { findByPassword } from './find-by-password.ts'
import { admitSignIn } from './limit-sign-ins.ts'
import { assertionSchema } from './passkeys/credential.ts'
import { maxPasswordLength } from './password.ts'
import { addressHeader } from './paths.ts'
import { replaceSession } from './prove-session.ts'
import type { FactorDeps } from './second-factor/attempt.ts'
import { endOtherSessions, endSession, endSessionById, readSessions } from './sessions.ts'

const done = { success: true }

/** `tries` limits how often a password is tried for an email address. */
type Deps = FactorDeps & { tries: Limiter }

/** The plugin; its endpoints replace better-auth's of the same names. */
export function sessionEndpoints({ tries, ...deps }: Deps): BetterAuthPlugin {
  const { store, nowMs } = deps
  return {
    id: 'svc-sessions',
    endpoints: {
      signInEmail: createAuthEndpoint(
        '/sign-in/email',
        {
          method: 'POST',
          use: [formCsrfMiddleware],
          cloneRequest: true,
          body: z.object({
            email: z.string(),
            password: secretField(z.string()),
            rememberMe: z.boolean().optional(),
          }),
        },
        async (ctx) => {
          const { internalAdapter } = ctx.context
          const { email, password, rememberMe } = ctx.body
          const isForgotten = rememberMe === false
          if (!z.email().safeParse(email).success) throw invalidField('email', 'should be an email address')
          if (password.length > maxPasswordLength) {
            throw invalidField('password', 'is longer than any password here')
          }
          const known = { email: email.toLowerCase(), address: ctx.headers?.get(addressHeader) ?? '' }
          await admitSignIn({ db: store.db, tries }, known)
          const userId = await findByPassword(store.db, { email: known.email, password })
          const user = userId === undefined ? null : await internalAdapter.findUserById(userId)
          if (!user) throw new AppError('sign_in_failed', 'The address or the password is wrong.')
          const session = await internalAdapter.createSession(user.id, isForgotten)
          await setSessionCookie(ctx, { session, user }, isForgotten)
          return ctx.json({ token: session.token, user })
        },
      ),
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
          body: z.object({
            currentPassword: secretField(z.string()),
            newPassword: secretField(z.string()),
            code: secretField(z.string()).optional(),
            passkey: assertionSchema.optional(),
          }),
        },
        async (ctx) => {
          const { user, session } = ctx.context.session
          const { currentPassword, newPassword, code, passkey } = ctx.body
          const asking = { userId: user.id, sessionId: session.id }
          await changePassword(
            deps,
            { ...asking, address: ctx.headers.get(addressHeader) ?? '', field: 'currentPassword' },
            { current_password: currentPassword, new_password: newPassword, code, passkey },
          )
          // The cookie is replaced as well: whoever has a copy of it is out, too.
          const created = await ctx.context.internalAdapter.createSession(user.id)
          await replaceSession(store, asking, created.id)
          await setSessionCookie(ctx, { session: created, user })
          return ctx.json({ token: created.token, user })
        },
      ),
    },
  }
}
