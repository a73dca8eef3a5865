/** Decides from a request's credentials whether it may access a protected host. */
import { hash, timingSafeEqual } from 'node:crypto'
import { isId } from '../../lib/ids.ts'
import { shareParameter } from '../../platform/visitors/paths.ts'
import { hasCookie, sealCookie } from './bypass-cookie.ts'
import type { FileSite } from './find-site.ts'
import { type Entry, findVisits, type Seal } from './visitors/visit-cookie.ts'
import type { RequestHead } from './wire/request-head.ts'
import { formatTarget, type Target } from './wire/target.ts'

export type Passage =
  | DecidedPassage
  /** Open if one of these visits of people goes on. */
  | { kind: 'visit'; visits: Entry[]; otherwise: DecidedPassage }

export type DecidedPassage =
  | { kind: 'open' }
  | { kind: 'refused' }
  /** Its `Authorization` must be checked. */
  | { kind: 'authenticate'; authorization: string }
  /** The secret was in the query: redirect to the URL without it, with a cookie. */
  | { kind: 'enter'; location: string; cookie: string }
  /** The secret of a share link was in the query: likewise, if there is such a link. */
  | { kind: 'share'; location: string; secret: string | undefined }

const parameter = 'x-svc-bypass'

/** How a request accesses a protected site. A wrong secret is refused, whatever else is sent. */
export function findPassage(
  site: FileSite,
  head: Pick<RequestHead, 'bypass' | 'cookie' | 'authorization'>,
  target: Target,
  seal: Seal,
): Passage {
  // node:http decodes header values as Latin-1.
  if (head.bypass !== undefined)
    return { kind: isSecret(site, Buffer.from(head.bypass, 'latin1')) ? 'open' : 'refused' }
  const given = takeParameter(target.query)
  if (given) {
    if (given.secret === undefined || !isSecret(site, given.secret)) return { kind: 'refused' }
    const location = formatTarget(target) + given.rest
    return { kind: 'enter', location, cookie: sealCookie(seal.key, site, seal.nowMs, seal.isSecure) }
  }
  const shared = target.query.slice(1).split('&').find(isShare)
  if (shared !== undefined) {
    const location = formatTarget(target) + withoutSecrets(target.query)
    return { kind: 'share', location, secret: decode(shared.slice(shared.indexOf('=') + 1)) }
  }
  const { authorization, cookie } = head
  const hasSecret = site.bypassSha256 !== null
  if (hasSecret && cookie !== undefined && hasCookie(seal.key, site, cookie, seal.nowMs))
    return { kind: 'open' }
  const visits = cookie === undefined ? [] : findVisits(seal, site, cookie)
  if (visits.some(({ subject }) => !isId('user', subject))) return { kind: 'open' }
  const otherwise: DecidedPassage =
    authorization === undefined ? { kind: 'refused' } : { kind: 'authenticate', authorization }
  return visits.length === 0 ? otherwise : { kind: 'visit', visits, otherwise }
}

function isSecret(site: FileSite, given: string | Buffer): boolean {
  if (site.bypassSha256 === null) return false
  const digest = Buffer.from(hash('sha256', given))
  const expected = Buffer.from(site.bypassSha256)
  return digest.length === expected.length && timingSafeEqual(digest, expected)
}

/**
 * Removes every bypass parameter from a query; the first one's value is undefined if it can't be decoded.
 */
function takeParameter(query: string): { secret: string | undefined; rest: string } | undefined {
  const mine = query.slice(1).split('&').find(isMine)
  if (mine === undefined) return undefined
  return { secret: decode(mine.slice(mine.indexOf('=') + 1)), rest: withoutSecrets(query) }
}

/** A query (with its `?`, or empty) without secrets of visitors, whether they are valid or not. */
export function withoutSecrets(query: string): string {
  const pairs = query.slice(1).split('&')
  const rest = pairs.filter((pair) => !isMine(pair) && !isShare(pair))
  if (rest.length === pairs.length) return query
  return rest.length === 0 ? '' : `?${rest.join('&')}`
}

function isMine(pair: string): boolean {
  return nameOf(pair) === parameter
}

function isShare(pair: string): boolean {
  return nameOf(pair) === shareParameter
}

function nameOf(pair: string): string | undefined {
  return decode(pair.split('=', 1)[0] ?? '')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
