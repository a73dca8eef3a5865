/** Determines the client's address: the connection's, or the one that trusted proxies report. */
import { isIP } from 'node:net'
import { createIsTrusted } from './trusted-proxies.ts'

/** The client's address, from the connection's and an `X-Forwarded-For` header, if any. */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/**
 * Returns a function that determines the client's address behind `proxies`: addresses, ranges, and the names
 * `loopback`, `linklocal` and `uniquelocal`. Only entries appended by trusted proxies count.
 */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  const isTrusted = createIsTrusted(proxies)
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || proxies.length === 0) return unmapped(peer)
    let address = peer
    for (const each of forwardedFor.split(',').reverse()) {
      const before = each.trim()
      if (isIP(before) === 0 || !isTrusted(address)) break
      address = before
    }
    return unmapped(address)
  }
}

/** IPv4-mapped IPv6 addresses are IPv4 addresses (RFC 4291, section 2.5.5.2): each client has one. */
function unmapped(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
}
