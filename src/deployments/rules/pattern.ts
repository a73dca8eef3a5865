/** Parses the path of a rule: `/blog/:year/*`. */
import { type Problem, quote } from './lines.ts'
import type { Part, Pattern } from './rules.ts'
import { decodeText, joinParts, shapeProblem } from './template.ts'

const placeholder = /^:([A-Za-z]\w*)$/

/** A colon that looks like a placeholder, but isn't a whole segment. */
const strayPlaceholder = /:[A-Za-z]/

/** The pattern for a path, percent-encoded or not; or the problem with it. */
export function parsePattern(text: string): Pattern | Problem {
  const problem = formProblem(text)
  if (problem !== undefined) return { problem }
  const parts: Part[] = []
  for (const [index, segment] of text.replace(/\/$/, '').split('/').slice(1).entries()) {
    const parsed = parseSegment(segment)
    if ('problem' in parsed) return parsed
    parts.push(...(index === 0 ? [] : ['/']), ...parsed)
  }
  const names = namesOf(parts)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === 'splat') return { problem: 'a path may have one *, and no placeholder named :splat' }
  if (twice !== undefined) return { problem: `:${twice} is duplicated; give each placeholder its own name` }
  const shape = shapeProblem(parts)
  return shape === undefined ? joinParts(parts) : { problem: shape }
}

/** The names of a pattern's placeholders. */
export function namesOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : part.name))
}

function formProblem(text: string): string | undefined {
  if (/^[a-z]+:\/\//i.test(text))
    return `rules are for paths of this site, not for other hosts: write ${quote('/path')}, not ${quote(text)}`
  if (!text.startsWith('/')) return `a path begins with /, unlike ${quote(text)}`
  if (text.includes('?')) return 'matching by query is not supported: remove the ? and what follows'
  if (text.includes('#')) return 'a fragment is never sent to a server: remove the # and what follows'
  return undefined
}

function parseSegment(segment: string): Part[] | Problem {
  const name = placeholder.exec(segment)?.[1]
  if (name !== undefined) return name === 'splat' ? [{ name }, { name }] : [{ name }]
  if (strayPlaceholder.test(segment)) {
    return {
      problem: `a placeholder is a whole segment, unlike in ${quote(segment)}; write %3A for a literal colon`,
    }
  }
  const parts: Part[] = []
  for (const [index, literal] of segment.split('*').entries()) {
    const decoded = decodeText(literal)
    if (typeof decoded !== 'string') return decoded
    parts.push(...(index === 0 ? [] : [{ name: 'splat' }]), decoded)
  }
  return parts
}
