/**
 * Where a person goes after signing in: a path of the API's own origin, whatever the URL or form contains.
 */
import { z } from 'zod'

/** Any would do; paths are resolved against it. */
const origin = 'http://own.invalid'

const maxLength = 2_000

/**
 * The field `next` of a query or a form: a path with its query and fragment, as browsers resolve it; `/` for
 * anything that leads, or could be taken to lead, to another origin.
 */
export const nextSchema = z.object({ next: z.string().transform(ownPath).catch('/') }).catch({ next: '/' })

function ownPath(text: string): string {
  // Browsers remove tabs and line ends, and take a backslash for a slash (URL Standard, section 4.4).
  if (text.length > maxLength || !/^\/[^\p{Cc}\\]*$/u.test(text) || !URL.canParse(text, origin)) return '/'
  const url = new URL(text, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  // Dots are resolved by now: `/.//host` has become `//host`.
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}
