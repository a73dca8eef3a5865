/**
 * The second step of signing in, as a plugin of better-auth. Its own plugin accepts a code again for a
 * minute, and stores recovery codes so that they can be read.
 */
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie, expireCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { beginSession, signInAgain } from '../begin-session.ts'
import { assertionSchema } from '../passkeys/credential.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { describeCredentials, requestOptions } from '../passkeys/use.ts'
import { basePath, codeOptionsPath, codePath } from '../paths.ts'
import type { FactorDeps } from './attempt.ts'
import { challengedPerson, challengeSeconds, newChallenge } from './challenge.ts'
import { checkCode } from './check-code.ts'
import { checkPasskey } from './check-passkey.ts'
import { readWays } from './ways.ts'

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
      secondFactorOptions: createAuthEndpoint(
        codeOptionsPath.slice(basePath.length),
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const { challenge, user } = await halfwayIn(ctx)
          const { hasApp } = await readWays(store.db, user.id)
          const allowed = await describeCredentials(store.db, user.id)
          const hasPasskey = allowed.length > 0 && relyingPartyOf(deps.apiUrl) !== undefined
          const use = { purpose: 'second-factor', holder: challenge } as const
          return ctx.json({ app: hasApp, passkey: hasPasskey ? requestOptions(deps, use, allowed) : null })
        },
      ),
      signInWithFactor: createAuthEndpoint(
        codePath.slice(basePath.length),
        {
          method: 'POST',
          requireHeaders: true,
          body: z.object({ code: z.string().optional(), passkey: assertionSchema.optional() }),
        },
        async (ctx) => {
          const { challenge, user, cookie } = await halfwayIn(ctx)
          const { code = '', passkey } = ctx.body
          const outcome = passkey
            ? await checkPasskey(deps, user.id, { purpose: 'second-factor', holder: challenge }, passkey)
            : await checkCode(deps, user.id, code)
          if (outcome === 'none') throw signInAgain()
          const { secret, authCookies } = ctx.context
          const isShort = Boolean(await ctx.getSignedCookie(authCookies.dontRememberToken.name, secret))
          const token = await beginSession(ctx, store, { user, provenBy: 'second_factor', isShort })
          expireCookie(ctx, cookie)
          return ctx.json({ token, user })
        },
      ),
    },
  }

  /** Who has typed the password at this browser. @throws AppError `sign_in_failed`. */
  async function halfwayIn(ctx: GenericEndpointContext) {
    const cookie = ctx.context.createAuthCookie('second_factor', settings)
    const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
    const userId = challenge ? await challengedPerson(store.db, challenge, nowMs()) : undefined
    const user = userId === undefined ? null : await ctx.context.internalAdapter.findUserById(userId)
    if (!challenge || !user) throw signInAgain()
    return { challenge, user, cookie }
  }
}
