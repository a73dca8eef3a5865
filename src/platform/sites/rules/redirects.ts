/** Parses `_redirects`: a rule per line, `from to [status][!]`. */
import { parseDestination } from './destination.ts'
import {
  type Doubt,
  isForOtherHost,
  type Parsed,
  type Problem,
  passedOver,
  quote,
  readLines,
} from './lines.ts'
import type { Numbered } from './numbered-rules.ts'
import { namesOf, parsePattern } from './pattern.ts'
import { type Destination, type Pattern, type Redirect, ruleStatuses } from './rules.ts'

/** The limits of Cloudflare Pages. */
const maxStatic = 2_000
const maxDynamic = 100
const maxLineCharacters = 2_000

/** Unlike 301, browsers don't cache it, so mistakes can be corrected. */
const defaultStatus = 302

const statuses = new Map<string, Redirect['status']>(ruleStatuses.map((status) => [String(status), status]))

/** The redirects and rewrites of a `_redirects` file, in its order. */
export function parseRedirects(text: string): Parsed<Redirect> {
  const rules: Numbered<Redirect>[] = []
  const counts = { static: 0, dynamic: 0 }
  const found = readLines(text, maxLineCharacters, (line, number) => {
    const redirect = parseLine(line)
    if (!('from' in redirect)) return redirect
    rules.push({ rule: redirect, line: number })
    return countRule(counts, redirect.from)
  })
  return { rules, ...found }
}

function countRule(counts: { static: number; dynamic: number }, from: Pattern): Problem | undefined {
  if (namesOf(from).length > 0) {
    counts.dynamic += 1
    if (counts.dynamic <= maxDynamic) return undefined
    return { problem: `at most ${maxDynamic} rules with placeholders or * are allowed; remove this one` }
  }
  counts.static += 1
  if (counts.static <= maxStatic) return undefined
  return { problem: `at most ${maxStatic} rules without placeholders or * are allowed; remove this one` }
}

function parseLine(line: string): Redirect | Problem | Doubt {
  const words = line.split(/[ \t]+/)
  const comment = words.findIndex((word, index) => index > 0 && word.startsWith('#'))
  const [from = '', to, status, ...others] = comment === -1 ? words : words.slice(0, comment)
  if (isForOtherHost(from)) return passedOver(from)
  const unsupported = findUnsupported(to, status, others)
  if (unsupported) return unsupported
  if (to === undefined) return { problem: 'a rule is from, to and, optionally, a status: /old /new 301' }
  const pattern = parsePattern(from)
  if ('problem' in pattern) return pattern
  const code = parseStatus(status)
  if ('problem' in code) return code
  const destination = parseDestination(to, namesOf(pattern))
  if ('problem' in destination) return destination
  const redirect = { from: pattern, to: destination, ...code }
  const problem = rewriteProblem(redirect) ?? loopProblem(redirect, from)
  return problem === undefined ? redirect : { problem }
}

function findUnsupported(
  to: string | undefined,
  status: string | undefined,
  others: string[],
): Problem | undefined {
  if (to !== undefined && /^[\w.-]+=/.test(to))
    return { problem: `matching by query is not supported: remove ${quote(to)}` }
  const extra = [status, ...others].find((word) => word?.includes('='))
  if (extra !== undefined) {
    return {
      problem:
        'conditions such as Country, Language, Role and Cookie are not supported: ' +
        `remove ${quote(extra)}`,
    }
  }
  const [more] = others
  return more === undefined ? undefined : { problem: `remove ${quote(more)}: a rule ends with its status` }
}

function parseStatus(word = String(defaultStatus)): Pick<Redirect, 'status' | 'forced'> | Problem {
  const forced = word.endsWith('!')
  const status = statuses.get(forced ? word.slice(0, -1) : word)
  if (status !== undefined) return { status, forced }
  return {
    problem:
      `a status is one of ${[...statuses.keys()].sort().join(', ')}, ` +
      `with or without !, not ${quote(word)}`,
  }
}

function rewriteProblem({ status, to }: Redirect): string | undefined {
  if (status !== 200 && status !== 404) return undefined
  if (to.origin !== '') {
    return status === 200 ? originProblem(to) : 'a 404 is answered with a page of this site: use its path'
  }
  return to.query.length > 0 || to.fragment.length > 0
    ? 'a rewrite serves a file: remove the ? or # and what follows'
    : undefined
}

/** Requests may be passed on to the usual ports, and to those that no other protocol's servers have. */
const leastPort = 1_024

/** The problem of a target that requests are passed on to, if there is one. */
function originProblem({ origin, fragment }: Destination): string | undefined {
  if (fragment.length > 0) return 'a request has no fragment: remove the # and what follows'
  const { port } = new URL(origin)
  return port !== '' && !usualPorts.has(port) && Number(port) < leastPort
    ? `requests are passed on to the ports 80, 443 and those from ${leastPort} on, not to ${port}`
    : undefined
}

const usualPorts = new Set(['80', '443'])

/** A redirect from a path to itself; rules match with and without a trailing slash. */
function loopProblem({ status, forced, from, to }: Redirect, fromText: string): string | undefined {
  if (status === 200 || status === 404 || to.origin !== '') return undefined
  const bare = withoutSlash(to.path)
  if (JSON.stringify(from) !== JSON.stringify(bare)) return undefined
  const isSlashed = bare !== to.path
  if (from.length === 0 || fromText.endsWith('*') || fromText.endsWith('/') === isSlashed)
    return 'this redirects to itself: remove it'
  return forced ? "a file's name decides whether its path ends with a slash: remove the !" : undefined
}

function withoutSlash(path: Pattern): Pattern {
  const last = path.at(-1)
  if (typeof last !== 'string' || !last.endsWith('/')) return path
  return last === '/' ? path.slice(0, -1) : [...path.slice(0, -1), last.slice(0, -1)]
}
