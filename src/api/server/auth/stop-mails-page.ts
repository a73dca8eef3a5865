/** The page that ends the mails of a webhook, and what mail programs send for it with one click. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { checkStopLink, type StopLink, stopMails } from '../../../platform/webhooks/mails/stop.ts'
import { stopPath } from '../../../platform/webhooks/mails/stop-link.ts'
import type { ServerDeps } from '../deps.ts'
import { readHeld } from '../http/held-body.ts'
import { answerWithPages } from '../pages/error-pages.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'

const field = z.string().max(100).catch('')

const linkSchema = z.object({ webhook: field, user: field, token: field })

const linkOf = ({ query }: FastifyRequest): StopLink => linkSchema.parse(query)

const maxBytes = 8 * 1024

/**
 * Adds the page, which ends nothing by itself, since programs look at links in mails. Its form needs no page
 * of ours: mail programs post, too (RFC 8058, section 3.2), and the token is in the address, whatever the
 * body is.
 */
export function mountStopMailsPage(scope: FastifyInstance, deps: ServerDeps): void {
  const { services, bodies, timeouts, log } = deps
  answerWithPages(scope, log)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', async (request: FastifyRequest) => {
    await readHeld(request, bodies, { maxBytes, timeoutMs: timeouts.bodyMs })
    return {}
  })

  scope.get(stopPath, async (request, reply) => {
    const link = linkOf(request)
    await checkStopLink(services, link)
    return sendPage(
      reply,
      200,
      'No more of these mails?',
      html`<p>Others of the team go on to get them.
You can choose them again in the dashboard, under Webhooks.</p>
<form method="post" action="${`${stopPath}?${new URLSearchParams(link)}`}">
<button>End these mails</button>
</form>`,
    )
  })

  scope.post(stopPath, async (request, reply) => {
    await stopMails(services, linkOf(request))
    return sendPage(reply, 200, 'You get no more of these mails', html`<p role="status">They have ended.</p>`)
  })
}
