/** Parses `_headers`: a path, and below it the headers of its responses. */
import { codings } from '../../../stores/blobs/encodings.ts'
import { passedOverReason, refusedReason } from './header-names.ts'
import {
  type Doubt,
  isForOtherHost,
  maxBadLines,
  type Parsed,
  type Problem,
  passedOver,
  quote,
  readLines,
} from './lines.ts'
import { namesOf, parsePattern } from './pattern.ts'
import type { HeaderChange, HeaderRule, Pattern } from './rules.ts'
import { parseTemplate } from './template.ts'

/** As Cloudflare Pages. */
const maxRules = 100
const maxLineCharacters = 2_000

/** For each response. */
const maxHeaderLines = 1_000

/** Headers that can only be replaced: the server knows the type of each file, and the coding of some. */
const settable = new Set(['content-type', 'content-encoding'])

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/

/** RFC 9110, section 5.5, without obsolete characters. */
const fieldValue = /^[\t\u0020-\u007e]+$/

/** A path with its headers, or a path that is passed over or invalid, with those below it. */
type Block = { line: number; rule: HeaderRule; isKept: boolean; isEmpty: boolean }

/** The header rules of a `_headers` file, in its order. */
export function parseHeaders(text: string): Parsed<HeaderRule> {
  const blocks: Block[] = []
  let headerLines = 0
  const { bad, doubtful } = readLines(text, maxLineCharacters, (line, number) => {
    if (line.startsWith('/') || isForOtherHost(line)) {
      const at = parsePath(line)
      // Headers below an invalid path are checked all the same.
      const isKept = !('problem' in at || 'doubt' in at)
      blocks.push({ line: number, rule: { at: isKept ? at : [], changes: [] }, isKept, isEmpty: true })
      if (!isKept) return at
      return blocks.length <= maxRules ? undefined : tooMany(maxRules, 'paths')
    }
    const block = blocks.at(-1)
    if (!block) return { problem: 'the first line is a path, such as /*, and its headers follow' }
    headerLines += 1
    if (headerLines > maxHeaderLines) return tooMany(maxHeaderLines, 'headers')
    const change = parseChange(line, namesOf(block.rule.at))
    if ('problem' in change) return change
    block.isEmpty = false
    if (!('doubt' in change)) block.rule.changes.push(change)
    if (!block.isKept) return undefined
    return 'doubt' in change ? change : commentDoubt(line)
  })
  const empty = blocks
    .filter(({ isEmpty }) => isEmpty)
    .map(({ line }) => ({ line, problem: 'has no headers below it: write Name: value on the next line' }))
  return {
    rules: blocks
      .filter(({ isKept, rule }) => isKept && rule.changes.length > 0)
      .map(({ line, rule }) => ({ line, rule })),
    // A path whose headers are all invalid isn't reported as empty.
    bad: bad.length > 0 ? bad : empty.slice(0, maxBadLines),
    doubtful,
  }
}

/** A comment is a line of its own: a value may contain the character. */
function commentDoubt(line: string): Doubt | undefined {
  const comment = /\s(#.*)$/.exec(line)?.[1]
  return comment === undefined
    ? undefined
    : { doubt: `${quote(comment)} is part of the value; write a comment on a line of its own` }
}

function tooMany(most: number, what: string): Problem {
  return { problem: `at most ${most} ${what} are allowed; remove this one` }
}

function parsePath(line: string): Pattern | Problem | Doubt {
  const [path = '', more] = line.split(/[ \t]+/)
  if (isForOtherHost(path)) return passedOver(path)
  return more === undefined || more.startsWith('#')
    ? parsePattern(path)
    : { problem: `remove ${quote(more)}: a path has a line of its own, and %20 for a blank` }
}

function parseChange(line: string, names: string[]): HeaderChange | Problem | Doubt {
  if (line.startsWith('!')) {
    const name = line.slice(1).trim()
    return checkName(name) ?? removalProblem(name) ?? { name, value: null }
  }
  const colon = line.indexOf(':')
  if (colon === -1) return { problem: 'write Name: value, or ! Name to remove a header' }
  const name = line.slice(0, colon).trim()
  const value = line.slice(colon + 1).trim()
  const found = checkName(name)
  if (found) return found
  if (value === '') return { problem: `${name} needs a value; write ! ${name} to remove it` }
  if (!fieldValue.test(value)) return { problem: `the value of ${name} must be printable ASCII` }
  if (name.toLowerCase() === 'content-encoding' && !codings.some((coding) => coding === value)) {
    return {
      problem: `Content-Encoding is br or gzip, for files that are compressed so, not ${quote(value)}`,
    }
  }
  return { name, value: parseTemplate(value, names).parts }
}

function checkName(name: string): Problem | Doubt | undefined {
  if (name === '') return { problem: 'the name of the header is missing: write Name: value, or ! Name' }
  if (!token.test(name)) return { problem: `${quote(name)} is no header name: write Name: value` }
  const why = passedOverReason(name.toLowerCase())
  if (why !== undefined) return { doubt: `${name} is passed over: ${why}` }
  const reason = refusedReason(name.toLowerCase())
  return reason === undefined ? undefined : { problem: `remove ${name}: ${reason}` }
}

function removalProblem(name: string): Problem | undefined {
  return settable.has(name.toLowerCase())
    ? { problem: `${name} can be set, but can't be removed` }
    : undefined
}
