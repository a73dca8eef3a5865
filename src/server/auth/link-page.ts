/** The page of a one-time link, where a user sets a password. Viewing the page doesn't use up the link. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { linkInvalid } from '../../auth/people/links.ts'
import { maxPasswordLength, minPasswordLength, passwordSchema } from '../../auth/people/password.ts'
import { linkPath } from '../../auth/people/paths.ts'
import { AppError } from '../../errors.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { acceptForms } from './form-body.ts'
import { escapeHtml, sendPage } from './page.ts'

const querySchema = z.object({ token: z.string().max(100) })

const formSchema = z
  .object({
    token: z.string().max(100),
    email: z.string().optional(),
    password: passwordSchema,
    again: z.string(),
  })
  .refine(({ password, again }) => password === again, { path: ['again'], error: 'not the same' })

/** Messages for invalid fields. */
const sentences: Record<string, string> = {
  password: `The password must have ${minPasswordLength} to ${maxPasswordLength} characters.`,
  again: 'The two passwords are not the same.',
}

/** Adds the page. Errors are pages, too. */
export function mountLinkPage(app: FastifyInstance, { people, bodies, timeouts }: ServerDeps): void {
  app.register(async (scope) => {
    acceptForms(scope, bodies, timeouts.bodyMs)

    scope.get(linkPath, async (request, reply) => {
      const { data } = querySchema.safeParse(request.query)
      return showForm(reply, 200, data?.token ?? '')
    })

    scope.post(linkPath, async (request, reply) => {
      const { token } = querySchema.catch({ token: '' }).parse(request.body)
      const form = formSchema.safeParse(request.body)
      if (!form.success) {
        const field = String(form.error.issues[0]?.path[0])
        return showForm(reply, 400, token, sentences[field])
      }
      try {
        const { email } = await people.useLink(form.data)
        const text = `Sign in as <strong>${escapeHtml(email)}</strong> from now on. This page can be closed.`
        return sendPage(reply, 200, 'Your password is set', `<p>${text}</p>`)
      } catch (error) {
        if (!(error instanceof AppError) || error.reason === 'link_invalid') throw error
        return showForm(reply, statusOf(error), token, error.message)
      }
    })
  })

  async function showForm(reply: FastifyReply, status: number, token: string, problem?: string) {
    const link = await people.findLink(token)
    if (!link) {
      const refusal = linkInvalid()
      return sendPage(reply, statusOf(refusal), 'Invalid link', `<p>${escapeHtml(refusal.message)}</p>`)
    }
    return sendPage(reply, status, 'Set your password', form(token, link.email, problem))
  }
}

function form(token: string, email: string | null, problem: string | undefined): string {
  const length = `minlength="${minPasswordLength}" maxlength="${maxPasswordLength}"`
  const address =
    email === null
      ? '<input type="email" name="email" autocomplete="username" required autofocus>'
      : `<input type="email" value="${escapeHtml(email)}" autocomplete="username" readonly>`
  return `${problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>\n`}<form method="post" action="${linkPath}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label>Email${address}</label>
<label>New password<input type="password" name="password" autocomplete="new-password" ${length} required></label>
<label>Again<input type="password" name="again" autocomplete="new-password" ${length} required></label>
<button>Set password</button>
</form>`
}
