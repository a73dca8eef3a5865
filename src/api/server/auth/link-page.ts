/**
 * The page of a one-time link, where a user sets a password and is signed in. Viewing the page doesn't use up
 * the link.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { linkInvalid } from '../../../platform/people/links.ts'
import { maxPasswordLength, minPasswordLength, passwordSchema } from '../../../platform/people/password.ts'
import { forgotPath, linkPath, signInPath } from '../../../platform/people/paths.ts'
import type { LinkUse } from '../../../platform/people/use-link.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { type Html, html } from '../pages/html.ts'
import { sendPage, sendPageWithInline } from '../pages/page.ts'
import { keepForm } from './keep-account.ts'
import { newPasswordFields, newPasswordScript } from './new-password.ts'
import { nextSchema } from './next-path.ts'
import { enter, nextField, showSignIn, waysOf } from './sign-in-page.ts'
import { findSignedIn } from './signed-in.ts'

const querySchema = z.object({ token: z.string().max(100) })

/** The fields that the form keeps after a mistake: never a password. */
const typedSchema = z.object({ email: z.string().catch('') })

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

/** Adds the page and its form to a scope that accepts forms of our own pages only. */
export function mountLinkPage(scope: FastifyInstance, deps: ServerDeps): void {
  const { people } = deps

  scope.get(linkPath, async (request, reply) => {
    const { data } = querySchema.safeParse(request.query)
    return showForm(request, reply, 200, { token: data?.token ?? '', ...nextSchema.parse(request.query) })
  })

  scope.post(linkPath, async (request, reply) => {
    const { token } = querySchema.catch({ token: '' }).parse(request.body)
    const { next } = nextSchema.parse(request.body)
    const typed = { token, next, ...typedSchema.parse(request.body ?? {}) }
    const form = formSchema.safeParse(request.body)
    if (!form.success) {
      const field = String(form.error.issues[0]?.path[0])
      return showForm(request, reply, 400, { ...typed, problem: sentences[field] })
    }
    try {
      const { email } = await people.useLink(form.data)
      return await enterWith(request, reply, { ...form.data, email, next })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.reason === 'link_invalid') return showInvalid(reply)
      return showForm(request, reply, statusOf(error), { ...typed, problem: error.message })
    }
  })

  /** The link is used up: whatever keeps the person from being signed in now, the password is set. */
  async function enterWith(
    request: FastifyRequest,
    reply: FastifyReply,
    person: LinkUse & { email: string; next: string },
  ) {
    const { email, password, next } = person
    try {
      return await enter(deps, request, reply, { email, password, next })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const note = 'Your password is set. Sign in with it.'
      return showSignIn(reply, statusOf(error), {
        ...waysOf(deps),
        next,
        email,
        note,
        problem: error.message,
      })
    }
  }

  async function showForm(request: FastifyRequest, reply: FastifyReply, status: number, typed: Typed) {
    const link = await people.findLink(typed.token)
    if (!link) return showInvalid(reply)
    const keep = keepForm(link, typed.token, await findSignedIn(deps, request, reply))
    const title = keep ? 'Is this your address?' : 'Set your password'
    const endsSessions = keep === undefined && link.email !== null
    const body = html`${keep}${formOf(link.email, typed, endsSessions)}`
    return sendPageWithInline(reply, title, { body, script: newPasswordScript, status })
  }

  /** Somebody who has used it before may look for another way in. */
  const orAnother = html`, or <a href="${forgotPath}">request a mail with another link</a>`

  function showInvalid(reply: FastifyReply) {
    const { canMail } = waysOf(deps)
    const { message } = linkInvalid()
    return sendPage(
      reply,
      statusOf(linkInvalid()),
      'Invalid link',
      html`<p>${message}</p>
<p><a href="${signInPath}">Sign in</a>${canMail ? orAnother : undefined}</p>`,
    )
  }
}

type Typed = { token: string; next: string; email?: string; problem?: string | undefined }

/** `linked` is the link's address, null where the person chooses one. */
function formOf(
  linked: string | null,
  { token, next, email = '', problem }: Typed,
  endsSessions: boolean,
): Html {
  const address =
    linked === null
      ? html`<input type="email" name="email" value="${email}" autocomplete="username" required autofocus>`
      : html`<input type="email" value="${linked}" autocomplete="username" readonly>`
  const alert = problem === undefined ? undefined : html`<p role="alert">${problem}</p>\n`
  return html`${alert}<form method="post" action="${linkPath}">
<input type="hidden" name="token" value="${token}">
${nextField(next)}<label>Email${address}</label>
${newPasswordFields('New password')}
<button>Set password and sign in</button>
</form>
${endsSessions ? html`<p class="dim">Sessions that are open elsewhere end.</p>` : undefined}`
}
