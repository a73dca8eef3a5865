/** Requests with which a browser opens a page. */
import type { FastifyRequest } from 'fastify'

/** Whether Next.js asks for what a page is made of, in place of the page. */
export function isForData({ headers, url }: FastifyRequest): boolean {
  return headers.rsc !== undefined || /[?&]_rsc=/.test(url)
}

/**
 * Whether the browser opens a page (Fetch Metadata, section 2.1), not a frame, a picture or what a script
 * fetches; a client that doesn't say is believed.
 */
export function isNavigation(request: FastifyRequest): boolean {
  const destination = request.headers['sec-fetch-dest']
  return !isForData(request) && (destination === undefined || destination === 'document')
}
