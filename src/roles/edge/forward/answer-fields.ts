/** The header of an answer from the server behind a rule, as the visitor gets it. */
import { isAtOrBelow } from '../../../lib/names/domain-name.ts'
import type { AnswerProblem } from '../../../platform/servers/answer-problems.ts'
import { endToEnd, type Field, fieldsOf, keyOf } from './fields.ts'
import { isPlatformCookie } from './request-fields.ts'

type Options = {
  /** The names, at or above which a cookie would be for the sites of others: the sites', and a domain. */
  namesOfOthers: readonly string[]
  isProtected: boolean
  /** The headers that the site's own rules have for the path, as alternating names and values. */
  added: readonly string[]
  /** Called for each field that isn't for visitors. */
  onDropped?: ((field: AnswerProblem) => void) | undefined
}

/** Fields that proxies in front of this server would act on, or that are about another server's ports. */
const actedOn: readonly [RegExp, AnswerProblem][] = [
  [/^x-accel-/, 'accel'],
  [/^x-sendfile$/, 'sendfile'],
  [/^x-svc-/, 'platform'],
  [/^alt-svc$/, 'alternative'],
]

/**
 * The fields of the answer, in order, without cookies of this platform or for more than the site's host. The
 * site's own fields join those that the answer lacks. Of a protected site nothing may be stored by caches
 * that others share.
 */
export function answerFields(
  rawHeaders: readonly string[],
  { namesOfOthers, isProtected, added, onDropped }: Options,
): Field[] {
  const given = endToEnd(rawHeaders).filter((field) => {
    const dropped = whyDropped(field, namesOfOthers)
    if (dropped !== undefined) onDropped?.(dropped)
    return dropped === undefined
  })
  const fields = isProtected ? withoutSharing(given) : given
  const known = new Set(fields.map(([name]) => keyOf(name)))
  return [...fields, ...fieldsOf(added).filter(([name]) => !known.has(keyOf(name)))]
}

function withoutSharing(fields: readonly Field[]): Field[] {
  const others = fields.filter(
    ([name]) => !/^(?:cache-control|.*surrogate-control|.*-cache-control)$/.test(keyOf(name)),
  )
  const isStored = fields.every(
    ([name, value]) => keyOf(name) !== 'cache-control' || !/\bno-store\b/i.test(value),
  )
  return [...others, ['Cache-Control', isStored ? 'private, no-cache' : 'private, no-store']]
}

/** Undefined for what visitors get. */
function whyDropped([name, value]: Field, namesOfOthers: readonly string[]): AnswerProblem | undefined {
  const key = keyOf(name)
  if (key === 'set-cookie') return whyCookieDropped(value, namesOfOthers)
  return actedOn.find(([names]) => names.test(key))?.[1]
}

/** A cookie may be one of this platform, or for sites of others, too. */
function whyCookieDropped(value: string, namesOfOthers: readonly string[]): AnswerProblem | undefined {
  const [pair = '', ...attributes] = value.split(';').map((each) => each.trim())
  if (isPlatformCookie(pair)) return 'platformCookie'
  // The last one counts (RFC 6265, section 5.3).
  const domain = attributes
    .flatMap((each) => /^domain\s*=\s*\.?(.*)$/i.exec(each)?.[1]?.trim().toLowerCase() || [])
    .at(-1)
  if (domain === undefined) return undefined
  return namesOfOthers.some((each) => isAtOrBelow(each, domain)) ? 'wideCookie' : undefined
}
