/**
 * Signing in with a passkey alone, as a plugin of better-auth. Its own plugin takes passkeys without a check
 * of the person, and stores a row for each challenge that a stranger requests.
 */
import { randomBytes } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api'
import { expireCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { beginSession } from '../begin-session.ts'
import { guess } from '../guesses.ts'
import { addressHeader, basePath, passkeyOptionsPath, passkeyPath } from '../paths.ts'
import type { FactorDeps } from '../second-factor/attempt.ts'
import { challengeSeconds } from './challenge.ts'
import { type Assertion, assertionSchema } from './credential.ts'
import { readAnswer, recordUse, requestOptions } from './use.ts'

/** Names the browser of a sign-in under way. */
const holderBytes = 16

/** The plugin. */
export function passkeyEndpoints(deps: FactorDeps): BetterAuthPlugin {
  return {
    id: 'svc-passkeys',
    endpoints: {
      passkeyOptions: createAuthEndpoint(
        passkeyOptionsPath.slice(basePath.length),
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const holder = randomBytes(holderBytes).toString('base64url')
          const options = requestOptions(deps, { purpose: 'sign-in', holder })
          const { name, attributes } = cookieOf(ctx)
          await ctx.setSignedCookie(name, holder, ctx.context.secret, attributes)
          return ctx.json(options)
        },
      ),
      signInWithPasskey: createAuthEndpoint(
        passkeyPath.slice(basePath.length),
        {
          method: 'POST',
          requireHeaders: true,
          use: [formCsrfMiddleware],
          body: z.object({ passkey: assertionSchema }),
        },
        async (ctx) => {
          const cookie = cookieOf(ctx)
          const holder = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
          let userId: string | undefined
          const isRight = async () => {
            userId = holder ? await personOf(deps, holder, ctx.body.passkey) : undefined
            return userId !== undefined
          }
          await guess({ address: ctx.headers.get(addressHeader) ?? '', isRight }, deps.nowMs())
          const user = userId === undefined ? null : await ctx.context.internalAdapter.findUserById(userId)
          if (!user) throw notAccepted()
          const token = await beginSession(ctx, deps.store, { user, provenBy: 'passkey', isShort: false })
          expireCookie(ctx, cookie)
          return ctx.json({ token, user })
        },
      ),
    },
  }
}

function cookieOf(ctx: GenericEndpointContext) {
  return ctx.context.createAuthCookie('passkey', { maxAge: challengeSeconds })
}

/** Whose passkey it is; undefined for one that is not accepted. */
async function personOf(deps: FactorDeps, holder: string, assertion: Assertion): Promise<string | undefined> {
  // Nobody has said whose it is, so the authenticator has to (WebAuthn, section 7.2, step 6).
  if (!assertion.response.userHandle) return undefined
  const answer = await readAnswer(deps, { purpose: 'sign-in', holder }, assertion)
  if (!answer) return undefined
  return deps.store.transact((tx) => recordUse(tx, answer, { nowMs: deps.nowMs() }))
}

function notAccepted(): AppError {
  return new AppError(
    'sign_in_failed',
    'This passkey was not accepted: it is not known here, or it took longer than five minutes. ' +
      'Try again, or sign in with your password.',
  )
}
