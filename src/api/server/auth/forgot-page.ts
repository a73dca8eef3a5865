/** The page for people who forgot their password: it mails a link, on nodes that can send mails. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { parseEmail } from '../../../platform/people/email.ts'
import type { Mails } from '../../../platform/people/mails/mails.ts'
import { forgotPath, signInPath } from '../../../platform/people/paths.ts'
import { statusOf } from '../../trpc/error-body.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'

const formSchema = z.object({ email: z.string().catch('') }).catch({ email: '' })

/**
 * Adds the page and its form to a scope that accepts forms of our own pages only. The response to the form is
 * the same for every address, and sent before anything is looked up.
 */
export function mountForgotPage(scope: FastifyInstance, mails: Pick<Mails, 'requestReset'>): void {
  scope.get(forgotPath, async (_request, reply) => showForm(reply, 200))

  scope.post(forgotPath, async (request, reply) => {
    const { email } = formSchema.parse(request.body)
    try {
      mails.requestReset(parseEmail(email))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return showForm(reply, statusOf(error), { email, problem: error.message })
    }
    return sendPage(reply, 200, 'Look into your mailbox', sent)
  })
}

const sent = html`<p role="status">If there is an account with this address, a mail is on its way.</p>
<p>The link in it works once, for one hour, and a newer one replaces it.
There are at most three mails an hour: if none arrives, look among the unwanted ones, or ask the operator.</p>
<p><a href="${signInPath}">Sign in</a></p>`

function showForm(
  reply: FastifyReply,
  status: number,
  { email, problem }: { email: string; problem?: string } = { email: '' },
): FastifyReply {
  return sendPage(
    reply,
    status,
    'Forgot your password?',
    html`${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`}
<p>A mail to your address brings a link to set another one.</p>
<form method="post" action="${forgotPath}">
<label>Email<input type="email" name="email" value="${email}"
autocomplete="username" required autofocus></label>
<button>Send the link</button>
</form>
<p><a href="${signInPath}">Sign in</a></p>`,
  )
}
