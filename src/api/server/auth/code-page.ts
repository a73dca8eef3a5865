/** The page after the password, where somebody with a second factor types a code. No script is required. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { codePagePath, codePath, signInPath } from '../../../platform/auth/people/paths.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'
import { passCookies, submit } from './browser-request.ts'
import { nextSchema } from './next-path.ts'
import { nextField, showSignIn, waysOf } from './sign-in-page.ts'

const formSchema = z.object({ code: z.string().max(100).catch('') }).catch({ code: '' })

/** Adds the page and its form to a scope that accepts forms of our own pages only. */
export function mountCodePage(scope: FastifyInstance, deps: ServerDeps): void {
  scope.get(codePagePath, async (request, reply) =>
    showForm(reply, 200, { next: nextSchema.parse(request.query).next }),
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
      return showForm(reply, statusOf(error), { next, problem })
    }
  })
}

function showForm(
  reply: FastifyReply,
  status: number,
  { next, problem }: { next: string; problem?: string },
): FastifyReply {
  return sendPage(
    reply,
    status,
    'Your code',
    html`${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`}
<p>Type the six digits that your app shows, or one of your recovery codes.</p>
<form method="post" action="${codePagePath}">
${nextField(next)}<label>Code<input name="code" autocomplete="one-time-code" autocapitalize="off"
 spellcheck="false" maxlength="100" required autofocus></label>
<button>Sign in</button>
</form>
<p><a href="${signInPath}">Sign in as somebody else</a></p>
<p class="dim">App and recovery codes are lost? The operator can take the second factor away:
<code>svc admin user --without-second-factor</code>.</p>`,
  )
}
