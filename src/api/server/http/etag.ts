/** Conditional requests for what the API serves whole. */

/**
 * Whether one of the tags of an `If-None-Match` is `etag`, by weak comparison (RFC 9110, section 13.1.2),
 * since compressing proxies weaken it.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
