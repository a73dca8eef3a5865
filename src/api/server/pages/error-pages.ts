/** Error responses as pages, for routes that browsers navigate to. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../../../lib/log/logger.ts'
import { refusalOf, setRetryAfter } from '../http/errors.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'

const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Not available',
}

/** Makes every error of the routes of `scope` a page with its message. */
export function answerWithPages(scope: FastifyInstance, log: Logger): void {
  scope.setErrorHandler((thrown, request, reply) => {
    const { error, status } = refusalOf(log, thrown, request)
    setRetryAfter(reply, error)
    const title = titles[status] ?? (status < 500 ? 'The request is invalid' : 'Something went wrong')
    const reference = html`<p class="dim">Request <code>${request.id}</code></p>`
    return sendPage(reply, status, title, html`<p>${error.message}</p>\n${reference}`)
  })
}
