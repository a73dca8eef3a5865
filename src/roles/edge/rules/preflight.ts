/** Answers preflights (Fetch, section 3.2.2): what the rules of a path grant to pages of other origins. */
import type { SiteResponse } from '../responses/response.ts'
import type { AddHeaders } from './headers.ts'

/** The response to OPTIONS at `path` (as in `Target`), if its rules grant anything to other origins. */
export type AnswerPreflight = (path: string) => SiteResponse | undefined

/** The methods of requests for files. */
const methods = 'GET, HEAD, OPTIONS'

const granting = 'access-control-'

/** Answers by what `addHeaders` adds to any response of a path. */
export function createAnswerPreflight(addHeaders: AddHeaders): AnswerPreflight {
  return (path) => {
    const { headers } = addHeaders({ status: 204, headers: [], body: [] }, path, 'public')
    const granted = new Map<string, string>()
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? ''
      if (name.toLowerCase().startsWith(granting)) granted.set(name.toLowerCase(), headers[index + 1] ?? '')
    }
    if (!granted.has('access-control-allow-origin')) return undefined
    if (!granted.has('access-control-allow-methods')) granted.set('access-control-allow-methods', methods)
    return { status: 204, headers: ['Allow', methods, ...[...granted].flat()], body: [] }
  }
}
