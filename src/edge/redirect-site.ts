/** Leads from a domain to the same path at another name. */
import type { Answer } from './answers/answer.ts'
import { redirectAnswer } from './answers/plain-answers.ts'
import type { RedirectSite } from './find-site.ts'
import { withoutBypass } from './protection.ts'
import { formatPath, type Target } from './wire/target.ts'

/** The query goes along, but never with a secret: this is another host. `sitesUrl` says scheme and port. */
export function leadTo({ to, status }: RedirectSite, { path, query }: Target, sitesUrl: string): Answer {
  const { protocol, port } = new URL(sitesUrl)
  const origin = `${protocol}//${to}${port && `:${port}`}`
  return redirectAnswer(`${origin}${formatPath(path)}${withoutBypass(query)}`, 'public', status)
}
