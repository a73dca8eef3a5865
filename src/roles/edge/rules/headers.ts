/** Adds the headers of a site's rules to responses. */
import type { HeaderRule } from '../../../platform/sites/rules/rules.ts'
import type { SiteResponse, Visibility } from '../responses/response.ts'
import { contentEncoding } from './codings.ts'
import { fill } from './fill.ts'
import { compilePattern, type Match, type RulePath, toRulePath, type Values } from './match-pattern.ts'

/**
 * Returns `answer`, which is about a file, with what the rules say about `path` (as in `Target`). Where a
 * `page` stands in for what isn't there, given by the path of its file, the rules about caching that aren't
 * for it, too, are left out: they are meant for the file that is missing.
 */
export type AddHeaders = (
  answer: SiteResponse,
  path: string,
  visibility: Visibility,
  page?: string,
) => SiteResponse

type Compiled = { match: Match; changes: Change[]; isPlain: boolean }

/** `key` is the name in lower case. */
type Change = HeaderRule['changes'][number] & { key: string; isCaching: boolean }

/** The server's own headers to remove, and alternating names and values to add. */
type Prepared = { replaced: readonly string[]; added: readonly string[] }

/** With the values of its placeholders; `isForAnother` file than the one that is served. */
type Matched = [rule: Compiled, values: Values, isForAnother: boolean]

type Withheld = { caching: boolean; type: boolean }

/** The server's own headers that rules can change (see sites/rules/header-names.ts), by their keys. */
const replaceable = new Map([
  ['cache-control', 'Cache-Control'],
  ['content-type', 'Content-Type'],
  ['x-content-type-options', 'X-Content-Type-Options'],
])

/** Headers about caching; the names end with one of these. */
const cachingNames = /(?:^expires|^pragma|^edge-control|surrogate-control|cache-control)$/

/** The longest value. */
const maxValueCharacters = 2_000

/** More than this, names and values together, is more than clients take; the rest is left out. */
const maxResponseCharacters = 32_768

/** Most sites have a handful of combinations of rules for the same paths. */
const maxPrepared = 20

/** Compiles rules; a header set by several of them gets all their values as a list. */
export function createHeaders(rules: readonly HeaderRule[]): AddHeaders {
  const compiled = rules.map(compileRule)
  const known = new Map<string, Prepared>()

  function prepareOnce(matched: Matched[], id: string, withheld: Withheld): Prepared {
    const before = known.get(id)
    if (before) return before
    const prepared = prepare(matched, withheld)
    if (known.size < maxPrepared && matched.every(([{ isPlain }]) => isPlain)) known.set(id, prepared)
    return prepared
  }

  return (answer, path, visibility, page) => {
    // An error response keeps its own headers.
    if (answer.status === 412 || answer.status === 416) return answer
    const rulePath = toRulePath(path)
    const withheld = findWithheld(answer, visibility)
    const pagePaths = page === undefined ? undefined : pathsOfPage(page)
    const matched: Matched[] = []
    let id = `${withheld.caching} ${withheld.type}`
    for (const [index, rule] of compiled.entries()) {
      const values = rule.match(rulePath)
      if (!values) continue
      const isForAnother = pagePaths?.every((each) => !rule.match(each)) === true
      matched.push([rule, values, isForAnother])
      id += isForAnother ? ` ${index}-` : ` ${index}`
    }
    if (matched.length === 0) return answer
    const { replaced, added } = prepareOnce(matched, id, withheld)
    return { ...answer, headers: [...without(answer.headers, replaced), ...added] }
  }
}

/** The paths at which a page is served: its own, and the one of its file. */
function pathsOfPage(file: string): RulePath[] {
  return [file.replace(/(?:(^|\/)index)?\.html$/i, '$1'), file].map(toRulePath)
}

function compileRule({ at, changes }: HeaderRule): Compiled {
  return {
    match: compilePattern(at),
    isPlain: changes.every(({ value }) => value === null || value.every((part) => typeof part === 'string')),
    changes: changes.flatMap((change) => {
      const key = change.name.toLowerCase()
      // A coding is a fact about a file, whichever path it is served at.
      return key === contentEncoding ? [] : { ...change, key, isCaching: cachingNames.test(key) }
    }),
  }
}

/**
 * A protected site stays uncacheable for shared caches, and so does a 404 page. The type applies to the file
 * alone, not to multipart and other responses, which have their own.
 */
function findWithheld({ status, headers }: SiteResponse, visibility: Visibility): Withheld {
  const isMultipart = status === 206 && headers.some((text) => text.startsWith('multipart/byteranges;'))
  return {
    caching: visibility === 'private' || status === 404,
    type: status === 304 || status === 404 || isMultipart,
  }
}

function prepare(matched: readonly Matched[], withheld: Withheld): Prepared {
  const found = findChanges(matched)
  const kept = [...found.values()].filter(
    ({ key, isCaching }) => !(isCaching ? withheld.caching : withheld.type && key === 'content-type'),
  )
  return {
    replaced: kept.flatMap(({ key }) => replaceable.get(key) ?? []),
    added: kept.flatMap(({ name, text }) => (text === undefined ? [] : [name, text])),
  }
}

/** The final change of each header; one without a text is removed. */
function findChanges(matched: readonly Matched[]) {
  const found = new Map<string, Change & { text: string | undefined }>()
  let left = maxResponseCharacters
  for (const [{ changes }, values, isForAnother] of matched) {
    for (const change of changes) {
      const { key, name, value, isCaching } = change
      if (isCaching && isForAnother) continue
      if (value === null) {
        found.set(key, { ...change, text: undefined })
        continue
      }
      const text = fill(value, values, encodeSegments, maxValueCharacters)
      left -= name.length + (text?.length ?? maxValueCharacters)
      if (left < 0) return found
      if (text === undefined) continue
      const before = found.get(key)?.text
      found.set(key, { ...change, text: before === undefined ? text : `${before}, ${text}` })
    }
  }
  return found
}

function without(own: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0) return own
  return own.filter((_, index) => !names.includes(own[index - (index % 2)] ?? ''))
}

/** Encodes visitors' values, so that they have no special meaning in a header. */
function encodeSegments(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/')
}
