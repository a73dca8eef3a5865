/** The error page of a failed sign-in at the provider, if the caller named no page of its own. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errorPath, signInPath } from '../../../platform/people/paths.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'

const querySchema = z.object({ error: z.string().catch('') })

const sentences = new Map([
  [
    'email_not_verified',
    'The provider has not verified your email address. Verify it there, then sign in again.',
  ],
  ['email_not_found', 'The provider did not send your email address.'],
  [
    'account_not_linked',
    'A user with your email address exists, and the address is not verified. Sign in with the password.',
  ],
  ['access_denied', 'You did not allow the sign-in.'],
])

const otherwise = 'The sign-in was not completed. Try again.'

/** Adds the page; it includes nothing from its URL. */
export function mountErrorPage(app: FastifyInstance): void {
  app.get(errorPath, async (request, reply) => {
    const { error } = querySchema.parse(request.query)
    const sentence = sentences.get(error) ?? otherwise
    return sendPage(
      reply,
      400,
      'You are not signed in',
      html`<p>${sentence}</p>
<p><a href="${signInPath}">Sign in</a></p>`,
    )
  })
}
