/** Finds the redirect or rewrite for a path among a site's rules. */
import type { RedirectStatus } from '../../../lib/net/redirect-statuses.ts'
import type { Destination, Part, Redirect } from '../../../platform/sites/rules/rules.ts'
import { encodePath, encodeValue, withSlashes } from '../wire/target.ts'
import { fill } from './fill.ts'
import { compilePattern, type Match, type RulePath, toRulePath, type Values } from './match-pattern.ts'

/** The effect of a rule: serve another path with a status, redirect, or pass the request on. */
export type Outcome =
  | { kind: 'rewrite'; status: 200 | 404; path: string }
  | { kind: 'leave'; status: RedirectStatus; address: Address }
  | { kind: 'pass'; origin: string; address: Address }
  /** The rule matches, but its result is too long. */
  | { kind: 'nothing' }

/**
 * A redirect's `path` begins with the origin if that differs; an empty `query` is replaced by the request's.
 */
export type Address = { path: string; query: string; fragment: string }

export type Redirects = {
  /** The effect of the first rule for `path` (decoded, without its leading slash; see `Target.escaped`). */
  find(path: string): Outcome | undefined
  /** The same among forced rules, which take precedence over files. */
  findForced(path: string): Outcome | undefined
}

/** The limit of common clients and proxies. */
const maxAddressCharacters = 8_192

/** Rules without placeholders are looked up by path; the others are tried in order. */
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
    decide: decideBy(to, status),
  }
}

function decideBy(to: Destination, status: Redirect['status']): Compiled['decide'] {
  if (status === 200 && to.origin !== '') return passTo(to)
  return status === 200 || status === 404 ? rewriteTo(to, status) : leaveTo(to, status)
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
    const path = toRulePath(text)
    return firstOutcome(fixed.get(path.bare) ?? [], dynamic, path)
  }
}

/** Tries both lists in the order of the one list that they come from. */
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
    const filled = fill(path, values, withSlashes, maxAddressCharacters)
    return filled === undefined ? nothing : { kind: 'rewrite', status, path: withoutSlashes(filled) }
  }
}

function passTo(to: Destination) {
  const fillIn = fillAddress(to, to.path)
  return (values: Values): Outcome => {
    const address = fillIn(values)
    return address === undefined
      ? nothing
      : { kind: 'pass', origin: to.origin, address: { ...address, path: `/${address.path}` } }
  }
}

/** Undefined where the address is too long. */
function fillAddress({ query, fragment }: Destination, path: readonly Part[]) {
  return (values: Values): Address | undefined => {
    const filled = {
      path: fill(path, values, encodePath, maxAddressCharacters),
      query: fill(query, values, encodeValue, maxAddressCharacters),
      fragment: fill(fragment, values, encodeValue, maxAddressCharacters),
    }
    return isWhole(filled) ? filled : undefined
  }
}

function isWhole(filled: Record<keyof Address, string | undefined>): filled is Address {
  return Object.values(filled).every((each) => each !== undefined)
}

/** Undefined for a redirect to the request's own URL, so that the next rule is tried. */
function leaveTo(to: Destination, status: RedirectStatus) {
  const isOwn = to.origin === ''
  const parts = isOwn ? to.path.map((part) => (typeof part === 'string' ? encodePath(part) : part)) : to.path
  const fillIn = fillAddress(to, parts)
  return (values: Values, { path: from }: RulePath): Outcome | undefined => {
    const address = fillIn(values)
    if (address === undefined) return nothing
    if (isOwn && address.path === encodePath(from)) return undefined
    const path = isOwn ? withoutSlashes(address.path) : address.path
    return { kind: 'leave', status, address: { ...address, path: `${to.origin}/${path}` } }
  }
}

/** An empty splat may leave a double slash, and `//name` would be another host's URL. */
function withoutSlashes(path: string): string {
  return path.replace(/^\/+/, '')
}
