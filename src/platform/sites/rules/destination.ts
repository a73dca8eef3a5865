/** Parses the destination of a redirect: a path of the site with query and fragment, or a URL elsewhere. */

import { parseUrl } from '../../../lib/names/parse-url.ts'
import { type Problem, quote } from './lines.ts'
import type { Destination, Part } from './rules.ts'
import { decodeText, encodeText, parseTemplate, shapeProblem } from './template.ts'

/** The destination for `text`, with placeholders among `known`; or the problem with it. */
export function parseDestination(text: string, known: readonly string[]): Destination | Problem {
  if (text.includes('\\')) return { problem: 'use / in a URL, not a backslash' }
  if (text.startsWith('//'))
    return { problem: `write https: before ${quote(text)} for another host, or a single / for a path` }
  const [, start = '', path = '', query = '', fragment = ''] =
    /^(https?:\/\/[^/?#]*|)(\/[^?#]*|)(\?[^#]*|)(#.*|)$/i.exec(text) ?? []
  if (start === '' && path === '') {
    return { problem: `${quote(text)} must begin with / for a path, or with http:// or https://` }
  }
  const origin = start === '' ? '' : parseOrigin(start)
  if (typeof origin !== 'string') return origin
  const parsedPath = parsePath(path.slice(1), known, origin === '')
  if ('problem' in parsedPath) return parsedPath
  const rest = [query, fragment].map((each) => parseTemplate(encodeText(each), known))
  const unknown = rest.find((each) => each.unknown !== undefined)?.unknown
  if (unknown !== undefined) return unknownName(unknown)
  const [queryParts = [], fragmentParts = []] = rest.map(({ parts }) => parts)
  return { origin, path: parsedPath, query: queryParts, fragment: fragmentParts }
}

/** A host can't contain a placeholder: the author of a link would choose where it leads. */
function parseOrigin(start: string): string | Problem {
  const url = parseUrl(start)
  if (!url) return { problem: `${quote(start)} is no URL with a host` }
  if (url.username !== '' || url.password !== '' || start.includes('@'))
    return { problem: 'a URL must not contain a user name or password' }
  return url.origin
}

function parsePath(text: string, known: readonly string[], isOwn: boolean): Part[] | Problem {
  const { parts, unknown } = parseTemplate(isOwn ? text : encodeText(text), known)
  if (unknown !== undefined) return unknownName(unknown)
  if (text.includes('*')) return { problem: 'use :splat for the value of *; write %2A for an asterisk' }
  if (!isOwn) return parts
  const decoded: Part[] = []
  for (const part of parts) {
    const piece = typeof part === 'string' ? decodeText(part) : part
    if (typeof piece === 'object' && 'problem' in piece) return piece
    decoded.push(piece)
  }
  const shape = shapeProblem(decoded)
  return shape === undefined ? decoded : { problem: shape }
}

function unknownName(name: string): Problem {
  return {
    problem: `${quote(name)} is no placeholder of the path before it; write %3A for a literal colon`,
  }
}
