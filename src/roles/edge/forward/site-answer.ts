/** The header that a visitor gets of an answer from elsewhere, by the site's settings and rules. */
import type { IncomingMessage } from 'node:http'
import type { AnswerProblem } from '../../../platform/servers/answer-problems.ts'
import { isOverTls, withHsts } from '../https.ts'
import { withoutIndex } from '../robots.ts'
import { isDomain } from '../wire/site-host.ts'
import { answerFields } from './answer-fields.ts'
import type { Field } from './fields.ts'
import type { Passed } from './passed.ts'

type Visited = Pick<Passed, 'visit' | 'request'>

/**
 * Returns the fields of an answer to `req`; `sitesHost` is the host below which the sites are. `onDropped` is
 * called for each field that isn't for visitors.
 */
export function createAnswerFields(
  req: IncomingMessage,
  passed: Visited,
  sitesHost: string,
  onDropped?: (field: AnswerProblem) => void,
): (status: number, rawHeaders: readonly string[]) => Field[] {
  const { site } = passed.visit
  const namesOfOthers = isDomain(site.host) ? [sitesHost, site.host] : [sitesHost]
  return (status, rawHeaders) => {
    const added = addedHeaders(req, passed, status)
    return answerFields(rawHeaders, { namesOfOthers, isProtected: site.isProtected, added, onDropped })
  }
}

/** The headers that the site's rules and this platform add, as alternating names and values. */
function addedHeaders(req: IncomingMessage, { visit, request }: Visited, status: number): string[] {
  const { site, manifest } = visit
  const own = { status: 200, headers: [], body: [] }
  // An error isn't kept for what its path is meant to have.
  const isCached = !site.isProtected && status < 400
  const answer = manifest.addHeaders?.(own, request.target.path, isCached ? 'public' : 'private') ?? own
  const secured = site.hsts && isOverTls(req) ? withHsts(answer) : answer
  return (site.isPreview ? withoutIndex(secured) : secured).headers
}
