/** The page where people sign in, and the forms that do. A script is required for passkeys alone. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { providerId } from '../../../platform/people/oidc.ts'
import { maxPasswordLength } from '../../../platform/people/password.ts'
import {
  basePath,
  codePagePath,
  forgotPath,
  passkeyOptionsPath,
  passkeyPath,
  signInPath,
  signOutPath,
} from '../../../platform/people/paths.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { type Html, html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'
import { passCookies, submit } from './browser-request.ts'
import { nextSchema } from './next-path.ts'
import { passkeyPart, sendPasskeyPage } from './passkey-script.ts'
import { findSignedIn } from './signed-in.ts'

const providerPath = `${signInPath}/${providerId}`

/** The typed fields; a missing field is an empty one. */
const formSchema = z.object({ email: z.string().catch(''), password: z.string().catch('') })

/** `ended` is in the address to which a page leads whose session is over. */
const endedSchema = z.object({ ended: z.literal('1') })

/** Adds the page and its forms to a scope that accepts forms of our own pages only. */
export function mountSignInPage(scope: FastifyInstance, deps: ServerDeps): void {
  for (const path of [basePath, signInPath]) {
    scope.get(path, async (request, reply) => {
      const person = await findSignedIn(deps, request, reply)
      const { next } = nextSchema.parse(request.query)
      if (person) return reply.redirect(next, 303)
      const isEnded = endedSchema.safeParse(request.query).success
      const note = isEnded ? { note: 'You are signed out. Sign in to go on.' } : {}
      return showSignIn(reply, 200, { ...waysOf(deps), next, ...note })
    })
  }

  scope.post(signInPath, async (request, reply) => {
    const { email, password } = formSchema.parse(request.body ?? {})
    const { next } = nextSchema.parse(request.body)
    try {
      return await enter(deps, request, reply, { email, password, next })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return showSignIn(reply, statusOf(error), { ...waysOf(deps), email, next, problem: error.message })
    }
  })

  scope.post(providerPath, async (request, reply) => {
    const body = {
      provider: providerId,
      callbackURL: `${deps.services.apiUrl}${nextSchema.parse(request.body).next}`,
    }
    const url = `${basePath}/sign-in/social`
    const response = await submit(deps, request, { method: 'POST', url, body, via: 'provider' })
    passCookies(response, reply)
    const { url: place } = placeSchema.parse(await response.json())
    return sendPage(reply, 200, 'Sign in', leave(place, waysOf(deps).providerName ?? ''))
  })

  scope.post(signOutPath, async (request, reply) => {
    const url = `${basePath}/sign-out`
    const call = { method: 'POST', url, body: {}, via: 'password', cookies: 'session' } as const
    const response = await submit(deps, request, call)
    return passCookies(response, reply).redirect(nextSchema.parse(request.body).next, 303)
  })
}

const placeSchema = z.object({ url: z.url({ protocol: /^https?$/ }) })

/** `form-action` would block a redirect to the provider, whose origin may be another than its issuer's. */
function leave(url: string, name: string): Html {
  return html`<meta http-equiv="refresh" content="0;url=${url}">
<p><a href="${url}">Continue to ${name}</a></p>`
}

const halfwaySchema = z.object({ second_factor_required: z.boolean().catch(false) })

/**
 * Signs in, always with a new session, and goes to `next`, which `nextSchema` has made, or to the page that
 * requests the second factor.
 * @throws AppError
 */
export async function enter(
  deps: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, ...person }: { email: string; password: string; next: string },
): Promise<FastifyReply> {
  const call = { method: 'POST', url: `${basePath}/sign-in/email`, body: person, via: 'password' } as const
  const response = await submit(deps, request, call)
  const { second_factor_required: isHalfway } = halfwaySchema.parse(await response.json())
  return passCookies(response, reply).redirect(isHalfway ? pathOfCode(next) : next, 303)
}

function pathOfCode(next: string): string {
  return next === '/' ? codePagePath : `${codePagePath}?${new URLSearchParams({ next })}`
}

/** The name of the provider, if any, and whether a forgotten password can be replaced by mail. */
type Ways = { apiUrl: string; providerName: string | undefined; canMail: boolean }

export function waysOf({ people, services }: ServerDeps): Ways {
  const { apiUrl, mails } = services
  return { apiUrl, providerName: people.providerName, canMail: mails !== undefined }
}

type Shown = Ways & {
  /** The path that signing in leads to. */
  next: string
  email?: string
  problem?: string
  note?: string
}

/** Sends the page; `email` is what was typed before. */
export function showSignIn(reply: FastifyReply, status: number, shown: Shown): FastifyReply {
  const { apiUrl, providerName, canMail, next, email = '', problem, note } = shown
  const label = 'Sign in with a passkey'
  const ofPasskey = { options: passkeyOptionsPath, finish: passkeyPath, next, label }
  return sendPasskeyPage(reply, status, 'Sign in', {
    apiUrl,
    body: html`${note === undefined ? undefined : html`<p role="status">${note}</p>`}
${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`}
<form method="post" action="${signInPath}">
${nextField(next)}<label>Email<input type="email" name="email" value="${email}"
 autocomplete="username" required ${focus(email === '')}></label>
<label>Password<input type="password" name="password"
 autocomplete="current-password" maxlength="${maxPasswordLength}" required ${focus(email !== '')}></label>
<button>Sign in</button>
</form>
${passkeyPart(apiUrl, ofPasskey)}
${providerName === undefined ? undefined : providerForm(providerName, next)}
${canMail ? html`<p><a href="${forgotPath}">Forgot your password?</a></p>` : undefined}
<p class="dim">${canMail ? 'No account?' : 'No account, or the password is lost?'}
The operator can create a link for you: <code>svc admin user</code>.</p>`,
  })
}

const focus = (first: boolean) => (first ? html`autofocus` : undefined)

/** Keeps the path while the form is filled in. */
export function nextField(next: string): Html | undefined {
  return next === '/' ? undefined : html`<input type="hidden" name="next" value="${next}">\n`
}

function providerForm(name: string, next: string): Html {
  const button = html`<button class="plain">Sign in with ${name}</button>`
  return html`<form method="post" action="${providerPath}">${nextField(next)}${button}</form>`
}
