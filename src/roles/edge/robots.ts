/** Search engines and previews, whose pages are those of production once more. */
import type { SiteResponse } from './responses/response.ts'

/** The response with the header that keeps it out of search engines, unless the site's own rules have one. */
export function withoutIndex(answer: SiteResponse): SiteResponse {
  const isSaid = answer.headers.some((each, at) => at % 2 === 0 && each.toLowerCase() === 'x-robots-tag')
  return isSaid ? answer : { ...answer, headers: [...answer.headers, 'X-Robots-Tag', 'noindex'] }
}
