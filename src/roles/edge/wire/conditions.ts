/**
 * Conditional requests (RFC 9110, section 13) on files with a strong entity tag and no modification date.
 */
import type { RequestHead } from './request-head.ts'

const entityTag = /(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"/g

/**
 * 304 or 412 according to the request's preconditions (RFC 9110, section 13.2.2), else undefined. Conditions
 * on dates are ignored, as required without a date (sections 13.1.3 and 13.1.4).
 */
export function checkPreconditions(
  head: Pick<RequestHead, 'ifMatch' | 'ifNoneMatch'>,
  etag: string,
): 304 | 412 | undefined {
  if (head.ifMatch !== undefined && !lists(head.ifMatch, etag)) return 412
  if (head.ifNoneMatch !== undefined && lists(head.ifNoneMatch.replaceAll('W/"', '"'), etag)) return 304
  return undefined
}

/**
 * Whether `Range` applies: without `If-Range`, or if that is this very tag; a date never is (section 13.1.5).
 */
export function rangeApplies(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag
}

function lists(list: string, etag: string): boolean {
  if (list === etag || list.trim() === '*') return true
  return list.match(entityTag)?.includes(etag) ?? false
}
