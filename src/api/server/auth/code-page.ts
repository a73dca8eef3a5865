/**
 * The page after the password, where somebody with a second factor types a code, or uses a passkey. A script
 * is required for passkeys alone.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { codeOptionsPath, codePagePath, codePath, signInPath } from '../../../platform/people/paths.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { html } from '../pages/html.ts'
import { passCookies, submit } from './browser-request.ts'
import { factorOptionsSchema } from './endpoints.ts'
import { nextSchema } from './next-path.ts'
import { passkeyPart, sendPasskeyPage } from './passkey-script.ts'
import { nextField, showSignIn, waysOf } from './sign-in-page.ts'

const formSchema = z.object({ code: z.string().max(100).catch('') }).catch({ code: '' })

/** Adds the page and its form to a scope that accepts forms of our own pages only. */
export function mountCodePage(scope: FastifyInstance, deps: ServerDeps): void {
  scope.get(codePagePath, async (request, reply) =>
    showPage(request, reply, 200, { next: nextSchema.parse(request.query).next }),
  )

  scope.post(codePagePath, async (request, reply) => {
    const { code } = formSchema.parse(request.body)
    const { next } = nextSchema.parse(request.body)
    const call = {
      method: 'POST',
      url: codePath,
      body: { code },
      via: 'password',
      cookies: 'others',
    } as const
    try {
      const response = await submit(deps, request, call)
      return passCookies(response, reply).redirect(next, 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.reason === 'sign_in_failed') {
        return showSignIn(reply, statusOf(error), { ...waysOf(deps), next, problem: error.message })
      }
      const [issue] = error.issues ?? []
      const problem = issue ? `This code ${issue.message}` : error.message
      return await showPage(request, reply, statusOf(error), { next, problem })
    }
  })

  async function showPage(request: FastifyRequest, reply: FastifyReply, status: number, shown: Shown) {
    const ways = await waysOfPerson(deps, request)
    return showForm(reply, status, { ...shown, ...ways, apiUrl: deps.services.apiUrl })
  }
}

/** Resolves to the person's second factors; to an app alone if nobody is known, as the form will say. */
async function waysOfPerson(deps: ServerDeps, request: FastifyRequest) {
  const call = {
    method: 'POST',
    url: codeOptionsPath,
    body: {},
    via: 'password',
    cookies: 'others',
  } as const
  try {
    const response = await submit(deps, request, call)
    const { app, passkey } = factorOptionsSchema.parse(await response.json())
    return { hasApp: app, hasPasskey: passkey !== null }
  } catch (error) {
    if (error instanceof AppError && error.reason === 'sign_in_failed')
      return { hasApp: true, hasPasskey: false }
    throw error
  }
}

type Shown = { next: string; problem?: string }

type Ways = { hasApp: boolean; hasPasskey: boolean; apiUrl: string }

function showForm(
  reply: FastifyReply,
  status: number,
  { next, problem, hasApp, hasPasskey, apiUrl }: Shown & Ways,
): FastifyReply {
  const label = 'Use a passkey'
  const ofPasskey = { options: codeOptionsPath, finish: codePath, next, label }
  return sendPasskeyPage(reply, status, hasApp ? 'Your code' : 'Your second factor', {
    apiUrl,
    body: html`${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`}
${hasPasskey ? passkeyPart(apiUrl, ofPasskey) : undefined}
<p>${sentenceOf(hasApp, hasPasskey)}</p>
<form method="post" action="${codePagePath}">
${nextField(next)}<label>Code<input name="code" autocomplete="one-time-code" autocapitalize="off"
 spellcheck="false" maxlength="100" required ${hasPasskey ? undefined : html`autofocus`}></label>
<button>Sign in</button>
</form>
<p><a href="${signInPath}">Sign in as somebody else</a></p>
<p class="dim">${hasApp ? 'App' : 'Passkeys'} and recovery codes are lost? The operator can take the second
factor away: <code>svc admin user --without-second-factor</code>.</p>`,
  })
}

function sentenceOf(hasApp: boolean, hasPasskey: boolean): string {
  const codes = hasApp
    ? 'the six digits that your app shows, or one of your recovery codes'
    : 'one of your recovery codes'
  return hasPasskey ? `Use your passkey, or type ${codes}.` : `Type ${codes}.`
}
