/**
 * Leads somebody who is signed in back to a protected site, with a code for that site and this browser; who
 * isn't signed in signs in first.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { signInPath, signOutPath } from '../../../platform/people/paths.ts'
import { domainUrl, type SiteUrls, siteUrl } from '../../../platform/projects/host-label.ts'
import { createVisitCode } from '../../../platform/visitors/codes.ts'
import { enterPath, maxReturnLength, visitPath } from '../../../platform/visitors/paths.ts'
import type { ServerDeps } from '../deps.ts'
import { isNavigation } from '../http/navigation.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

/** The query with which a site leads here: `host` is a label or a domain, `nonce` a SHA-256 in base64url. */
const querySchema = z.object({
  host: z
    .string()
    .max(253)
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/),
  nonce: z.string().regex(/^[\w-]{43}$/),
  path: z.string().max(maxReturnLength).regex(/^\//).catch('/'),
  secure: z.literal('1').optional(),
})

/** Adds the page. */
export function mountVisitPage(scope: FastifyInstance, deps: ServerDeps): void {
  const { services } = deps

  scope.get(visitPath, async (request, reply) => {
    const query = querySchema.safeParse(request.query)
    // No frame or picture of a page may use up the codes that the person may have.
    if (!query.success || !isNavigation(request)) return showIncomplete(reply)
    const person = await findSignedIn(deps, request, reply)
    if (!person) return reply.redirect(`${signInPath}?next=${encodeURIComponent(request.url)}`, 303)
    const { host, nonce, path, secure } = query.data
    const code = await createVisitCode(
      services.store,
      { userId: person.id, sessionId: person.sessionId, host, nonceSha256: nonce, path },
      services.nowMs(),
    )
    if (code === undefined) return showStranger(reply, person)
    const url = `${originOf(services, host, secure !== undefined)}${enterPath}?code=${code}`
    // No redirect, since this may follow the form of signing in, whose page allows none to another origin.
    return sendPage(
      reply,
      200,
      'You are signed in',
      html`<meta http-equiv="refresh" content="0;url=${url}">
<p><a href="${url}">Continue to the site</a></p>`,
    )
  })
}

/** Made of the settings alone, so that a code leads to no other place than the site's own. */
function originOf({ sitesUrl, certifiedUrl }: SiteUrls, host: string, isSecure: boolean): string {
  const baseUrl = isSecure ? certifiedUrl : sitesUrl
  return host.includes('.') ? domainUrl(baseUrl, host) : siteUrl(baseUrl, host)
}

/** The same whether there is no such site, or it is another team's. */
function showStranger(reply: FastifyReply, { email }: SignedIn): FastifyReply {
  return sendPage(
    reply,
    404,
    'You can not see this site',
    html`<p>There is no site at this address that <strong>${email}</strong> may see. Ask its team to invite
you, or for a share link.</p>
<form method="post" action="${signOutPath}"><button class="plain">Sign out</button></form>`,
  )
}

function showIncomplete(reply: FastifyReply): FastifyReply {
  return sendPage(
    reply,
    400,
    'This address is incomplete',
    html`<p>Open the protected site again, and follow its link to sign in.</p>`,
  )
}
