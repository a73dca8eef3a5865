/** Finds the redirect or rewrite for a path among a site's rules. */
import type { Destination, Redirect } from '../../deployments/rules/rules.ts'
import { encodePath } from '../wire/target.ts'
import { fill } from './fill.ts'
import { compilePattern, type Match, type RulePath, toRulePath, type Values } from './match-pattern.ts'

/** What a rule does: serves another path with a status, or leads to an address. */
export type Outcome =
  | { kind: 'rewrite'; status: 200 | 404; path: string }
  | { kind: 'leave'; status: 301 | 302 | 303 | 307 | 308; address: Address }
  /** The rule is for this path, but what would come of it is too long. */
  | { kind: 'nothing' }

/** `path` begins with the origin where that is another; an empty `query` gives way to the request's. */
export type Address = { path: string; query: string; fragment: string }

export type Redirects = {
  /** The outcome of the first rule for `path` (decoded, without its leading slash). */
  find(path: string): Outcome | undefined
  /** The same among those rules that win over files. */
  findForced(path: string): Outcome | undefined
}

/** What common clients and proxies take. */
const maxAddressCharacters = 8_192

/** Rules without placeholders are found by their path; the others are tried in their order. */
export function createRedirects(rules: readonly Redirect[]): Redirects {
  const compiled = rules.map(compileRule)
  return {
    find: createFind(compiled),
    findForced: createFind(compiled.filter((_, index) => rules[index]?.forced)),
  }
}

type Compiled = {
  order: number
  /** The path of a rule without placeholders. */
  fixed: string | undefined
  match: Match
  decide: (values: Values, path: RulePath) => Outcome | undefined
}

function compileRule({ from, to, status }: Redirect, order: number): Compiled {
  const [only = ''] = from
  const isFixed = from.every((part) => typeof part === 'string')
  return {
    order,
    fixed: isFixed && typeof only === 'string' ? only : undefined,
    match: compilePattern(from),
    decide: status === 200 || status === 404 ? rewriteTo(to, status) : leaveTo(to, status),
  }
}

function createFind(rules: readonly Compiled[]): (path: string) => Outcome | undefined {
  const fixed = new Map<string, Compiled[]>()
  const dynamic: Compiled[] = []
  for (const rule of rules) {
    if (rule.fixed === undefined) dynamic.push(rule)
    else fixed.set(rule.fixed, [...(fixed.get(rule.fixed) ?? []), rule])
  }
  if (rules.length === 0) return () => undefined
  return (text) => {
    // Such a path is nobody's file, and it must not come to stand at the beginning of an address.
    if (text.startsWith('/') || text.includes('//')) return undefined
    const path = toRulePath(text)
    return firstOutcome(fixed.get(path.bare) ?? [], dynamic, path)
  }
}

/** Tries both lists, each in its order, as the one list that they come from. */
function firstOutcome(
  fixed: readonly Compiled[],
  dynamic: readonly Compiled[],
  path: RulePath,
): Outcome | undefined {
  const rest = fixed.values()
  let next = rest.next().value
  for (const rule of dynamic) {
    for (; next && next.order < rule.order; next = rest.next().value) {
      const outcome = next.decide(noValues, path)
      if (outcome) return outcome
    }
    const values = rule.match(path)
    const outcome = values && rule.decide(values, path)
    if (outcome) return outcome
  }
  for (; next; next = rest.next().value) {
    const outcome = next.decide(noValues, path)
    if (outcome) return outcome
  }
  return undefined
}

const noValues: Values = new Map()

const nothing: Outcome = { kind: 'nothing' }

function rewriteTo({ path }: Destination, status: 200 | 404) {
  return (values: Values): Outcome => {
    const filled = fill(path, values, (value) => value, maxAddressCharacters)
    return filled === undefined ? nothing : { kind: 'rewrite', status, path: withoutSlashes(filled) }
  }
}

/** Undefined, so that the next rule is tried, where it would lead to where the request is already. */
function leaveTo(to: Destination, status: 301 | 302 | 303 | 307 | 308) {
  const isOwn = to.origin === ''
  const parts = isOwn ? to.path.map((part) => (typeof part === 'string' ? encodePath(part) : part)) : to.path
  return (values: Values, { path: from }: RulePath): Outcome | undefined => {
    const filled = fill(parts, values, encodePath, maxAddressCharacters)
    const query = fill(to.query, values, encodeURIComponent, maxAddressCharacters)
    const fragment = fill(to.fragment, values, encodeURIComponent, maxAddressCharacters)
    if (filled === undefined || query === undefined || fragment === undefined) return nothing
    if (isOwn && filled === encodePath(from)) return undefined
    const path = isOwn ? withoutSlashes(filled) : filled
    return { kind: 'leave', status, address: { path: `${to.origin}/${path}`, query, fragment } }
  }
}

/** Where a splat stands for nothing there may be a slash too many, and `//name` would be another host's address. */
function withoutSlashes(path: string): string {
  return path.replace(/^\/+/, '')
}
