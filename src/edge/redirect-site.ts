/** Leads from a domain to the same path at another name. */

import type { RedirectSite } from './find-site.ts'
import { withoutBypass } from './protection.ts'
import { redirectResponse } from './responses/plain-responses.ts'
import type { SiteResponse } from './responses/response.ts'
import { formatPath, type Target } from './wire/target.ts'

/** The query goes along, but never with a secret: this is another host. `sitesUrl` says scheme and port. */
export function leadTo(
  { to, status }: RedirectSite,
  { path, query }: Target,
  sitesUrl: string,
): SiteResponse {
  const { protocol, port } = new URL(sitesUrl)
  const origin = `${protocol}//${to}${port && `:${port}`}`
  return redirectResponse(`${origin}${formatPath(path)}${withoutBypass(query)}`, 'public', status)
}
