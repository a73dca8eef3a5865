/** Parses the path of a rule: `/blog/:year/*`. */
import { type Problem, quote } from './lines.ts'
import type { Part, Pattern } from './rules.ts'
import { decodeText, joinParts, shapeProblem } from './template.ts'

/** A segment with a placeholder: `:year`, `:title.html`, `@:user`. */
const placeholder = /^(.*?):([A-Za-z]\w*)(.*)$/

/** A colon that looks like another placeholder. */
const strayPlaceholder = /:[A-Za-z]/

const splats: Problem = {
  problem:
    'a path may have one *, and no placeholder named :splat; write a name such as :page for another segment',
}

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
  if (twice === 'splat') return splats
  if (twice !== undefined) return { problem: `:${twice} is duplicated; give each placeholder its own name` }
  const shape = shapeProblem(parts)
  return shape === undefined ? joinParts(parts) : { problem: shape }
}

/** The names of a pattern's placeholders. */
export function namesOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : part.name))
}

function formProblem(text: string): string | undefined {
  if (!text.startsWith('/')) return `a path begins with /, unlike ${quote(text)}`
  if (text.includes('?')) return 'matching by query is not supported: remove the ? and what follows'
  if (text.includes('#')) return 'a fragment is never sent to a server: remove the # and what follows'
  return undefined
}

/** One placeholder with literal text around it, or literal text with or without a splat. */
function parseSegment(segment: string): Part[] | Problem {
  const [, before = '', name, after = ''] = placeholder.exec(segment) ?? []
  if (name === undefined) return parseLiterals(segment)
  if (name === 'splat') return splats
  if (`${before}${after}`.includes('*') || strayPlaceholder.test(after)) {
    return {
      problem: `a segment has one placeholder or *, unlike ${quote(segment)}; write %3A for a literal colon`,
    }
  }
  const head = decodeText(before)
  const tail = decodeText(after)
  if (typeof head === 'object') return head
  return typeof tail === 'object' ? tail : [head, { name }, tail]
}

function parseLiterals(segment: string): Part[] | Problem {
  const parts: Part[] = []
  for (const [index, literal] of segment.split('*').entries()) {
    const decoded = decodeText(literal)
    if (typeof decoded !== 'string') return decoded
    parts.push(...(index === 0 ? [] : [{ name: 'splat' }]), decoded)
  }
  return parts
}
