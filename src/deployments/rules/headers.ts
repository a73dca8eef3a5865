/** Parses `_headers`: a path, and below it the headers of its responses. */
import { ownedReason } from './header-names.ts'
import { maxBadLines, type Parsed, type Problem, quote, readLines } from './lines.ts'
import { namesOf, parsePattern } from './pattern.ts'
import type { HeaderChange, HeaderRule } from './rules.ts'
import { parseTemplate } from './template.ts'

/** As Cloudflare Pages. */
const maxRules = 100
const maxLineCharacters = 2_000

/** For each response. */
const maxHeaderLines = 1_000

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/

/** RFC 9110, section 5.5, without obsolete characters. */
const fieldValue = /^[\t\u0020-\u007e]+$/

/** The header rules of a `_headers` file, in its order. */
export function parseHeaders(text: string): Parsed<HeaderRule> {
  const blocks: (HeaderRule & { line: number })[] = []
  let headerLines = 0
  const bad = readLines(text, maxLineCharacters, (line, number) => {
    if (line.startsWith('/') || /^[a-z]+:\/\//i.test(line)) {
      const at = parsePath(line)
      // Headers below an invalid path are checked all the same.
      blocks.push({ at: 'problem' in at ? [] : at, changes: [], line: number })
      if ('problem' in at) return at
      return blocks.length <= maxRules ? undefined : tooMany(maxRules, 'paths')
    }
    const block = blocks.at(-1)
    if (!block) return { problem: 'the first line is a path, such as /*, and its headers follow' }
    headerLines += 1
    if (headerLines > maxHeaderLines) return tooMany(maxHeaderLines, 'headers')
    const change = parseChange(line, namesOf(block.at))
    if ('problem' in change) return change
    block.changes.push(change)
    return undefined
  })
  const empty = blocks
    .filter(({ changes }) => changes.length === 0)
    .map(({ line }) => ({ line, problem: 'has no headers below it: write Name: value on the next line' }))
  return {
    rules: blocks.map(({ at, changes }) => ({ at, changes })),
    // A path whose headers are all invalid isn't reported as empty.
    bad: bad.length > 0 ? bad : empty.slice(0, maxBadLines),
  }
}

function tooMany(most: number, what: string): Problem {
  return { problem: `at most ${most} ${what} are allowed; remove this one` }
}

function parsePath(line: string) {
  const [path = '', more] = line.split(/[ \t]+/)
  return more === undefined
    ? parsePattern(path)
    : { problem: `remove ${quote(more)}: a path has a line of its own, and %20 for a blank` }
}

function parseChange(line: string, names: string[]): HeaderChange | Problem {
  if (line.startsWith('!')) {
    const name = line.slice(1).trim()
    return nameProblem(name) ?? removalProblem(name) ?? { name, value: null }
  }
  const colon = line.indexOf(':')
  if (colon === -1) return { problem: 'write Name: value, or ! Name to remove a header' }
  const name = line.slice(0, colon)
  const value = line.slice(colon + 1).trim()
  const problem = nameProblem(name)
  if (problem) return problem
  if (value === '') return { problem: `${name} needs a value; write ! ${name} to remove it` }
  if (!fieldValue.test(value)) return { problem: `the value of ${name} must be printable ASCII` }
  return { name, value: parseTemplate(value, names).parts }
}

function nameProblem(name: string): Problem | undefined {
  if (!token.test(name)) return { problem: `${quote(name)} is no header name: write Name: value` }
  const reason = ownedReason(name.toLowerCase())
  return reason === undefined ? undefined : { problem: `remove ${name}: ${reason}` }
}

function removalProblem(name: string): Problem | undefined {
  return name.toLowerCase() === 'content-type'
    ? { problem: "Content-Type can be set, but can't be removed" }
    : undefined
}
