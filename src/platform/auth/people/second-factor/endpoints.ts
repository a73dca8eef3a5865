/**
 * The second step of signing in, as a plugin of better-auth. Its own plugin accepts a code again for a
 * minute, and stores recovery codes so that they can be read.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie, expireCookie, setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { AppError } from '../../../../lib/errors.ts'
import { basePath, codePath } from '../paths.ts'
import { proveSession } from '../prove-session.ts'
import { challengedPerson, challengeSeconds, newChallenge } from './challenge.ts'
import { checkCode, type FactorDeps } from './check-code.ts'

const passwordPath = '/sign-in/email'

/** The plugin. */
export function secondFactorEndpoints(deps: FactorDeps): BetterAuthPlugin {
  const { store, nowMs } = deps
  const settings = { maxAge: challengeSeconds }
  return {
    id: 'svc-second-factor',
    hooks: {
      after: [
        {
          matcher: ({ path }) => path === passwordPath,
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, internalAdapter } = ctx.context
            if (!newSession) return undefined
            const challenge = await newChallenge(store.db, newSession.user.id, nowMs())
            if (challenge === undefined) return undefined
            // Nobody has seen its token: the response is replaced.
            deleteSessionCookie(ctx, true)
            await internalAdapter.deleteSession(newSession.session.token)
            ctx.context.setNewSession(null)
            const { name, attributes } = ctx.context.createAuthCookie('second_factor', settings)
            await ctx.setSignedCookie(name, challenge, ctx.context.secret, attributes)
            return ctx.json({ second_factor_required: true })
          }),
        },
      ],
    },
    endpoints: {
      signInWithCode: createAuthEndpoint(
        codePath.slice(basePath.length),
        { method: 'POST', requireHeaders: true, body: z.object({ code: z.string() }) },
        async (ctx) => {
          const { internalAdapter, secret, authCookies } = ctx.context
          const cookie = ctx.context.createAuthCookie('second_factor', settings)
          const challenge = await ctx.getSignedCookie(cookie.name, secret)
          const userId = challenge ? await challengedPerson(store.db, challenge, nowMs()) : undefined
          const user = userId === undefined ? null : await internalAdapter.findUserById(userId)
          if (!user) throw signInAgain()
          await checkCode(deps, user.id, ctx.body.code)
          const isShort = Boolean(await ctx.getSignedCookie(authCookies.dontRememberToken.name, secret))
          const session = await internalAdapter.createSession(user.id, isShort)
          await store.transact((tx) => proveSession(tx, session.id))
          await setSessionCookie(ctx, { session, user })
          expireCookie(ctx, cookie)
          return ctx.json({ token: session.token, user })
        },
      ),
    },
  }
}

function signInAgain(): AppError {
  return new AppError(
    'sign_in_failed',
    'The sign-in took too long, or the password has changed. Sign in again.',
  )
}
