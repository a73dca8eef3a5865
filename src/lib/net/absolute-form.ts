/** Requests in absolute form, as clients send them that take the server for a proxy. */
import type { IncomingMessage } from 'node:http'

/** Without user information, which no client may send (RFC 9110, section 4.2.4). */
const absoluteForm = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i

/**
 * Makes a request in absolute form one in origin form, whose Host is the authority of its target: that
 * replaces the header (RFC 9112, section 3.2.2). Called before anything reads the request; others stay as
 * they are.
 */
export function useOwnAuthority(request: IncomingMessage): void {
  const { url = '', headers, rawHeaders } = request
  if (url.startsWith('/')) return
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? []
  // A request without the header stays one without it, which is refused.
  if (authority === undefined || headers.host === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  headers.host = authority
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') rawHeaders[at + 1] = authority
  }
}
