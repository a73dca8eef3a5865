/** On the page of a one-time link: how an unproven account gets the address that the link proves. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { FoundLink } from '../../../platform/people/links.ts'
import { keepPath, linkPath, signInPath } from '../../../platform/people/paths.ts'
import { proveAddress } from '../../../platform/people/prove-address.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { type Html, html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'
import { dashboardPath } from './dashboard-path.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

const formSchema = z.object({ token: z.string().max(100) }).catch({ token: '' })

/** Where the account page says that the address is proven. */
const donePath = '/account'

/** Adds the form's target to a scope that accepts forms of our own pages only. */
export function mountKeepAccount(scope: FastifyInstance, deps: ServerDeps): void {
  scope.post(keepPath, async (request, reply) => {
    const { token } = formSchema.parse(request.body)
    const person = await findSignedIn(deps, request, reply)
    // Signed out meanwhile: the page says what to do.
    if (!person) return reply.redirect(pathOf(token), 303)
    try {
      await proveAddress(deps.services, { userId: person.id, sessionId: person.sessionId }, token)
      return reply.redirect(await dashboardPath(deps, donePath), 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return showRefusal(reply, error)
    }
  })
}

function showRefusal(reply: FastifyReply, error: AppError): FastifyReply {
  return sendPage(
    reply,
    statusOf(error),
    'Not confirmed',
    html`<p role="alert">${error.message}</p>
<p><a href="${donePath}">Your account</a></p>`,
  )
}

/**
 * The HTML above the form that sets a password, where accounts claim the link's address and nobody has
 * proven it; else undefined.
 */
export function keepForm(link: FoundLink, token: string, person: SignedIn | undefined): Html | undefined {
  if (link.email === null || link.isProven || !link.isClaimed) return undefined
  const isOwn = person?.isUnproven === true && person.email === link.email
  const keep = isOwn
    ? html`<p>You are signed in as <strong>${person.name}</strong>, to an account that claims
<strong>${link.email}</strong>. This link proves that the address is yours.</p>
<form method="post" action="${keepPath}">
<input type="hidden" name="token" value="${token}">
<button>Confirm the address, and keep this account</button>
</form>`
    : html`<p>The link of an invitation has made an account with <strong>${link.email}</strong>, whose address
nobody has confirmed. To keep that account,
<a href="${signInPath}?next=${encodeURIComponent(pathOf(token))}">sign in to it</a>,
and you come back here.</p>`
  return html`${keep}
<h2>Or make an account of your own</h2>
<p>If that account isn't yours: another one takes the address from it. Teams that invited the address invite
it again.</p>
`
}

const pathOf = (token: string) => `${linkPath}?token=${encodeURIComponent(token)}`
