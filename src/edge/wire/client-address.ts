/** Determines the client's address: the connection's, or the one that trusted proxies report. */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** The client's address, from the connection's and an `X-Forwarded-For` header, if any. */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

const named: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Returns a function that determines the client's address behind `proxies`: addresses, ranges, and the names `loopback`,
 * `linklocal` and `uniquelocal`. Only entries appended by trusted proxies count.
 */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  const isTrusted = createIsTrusted(proxies)
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || proxies.length === 0) return peer
    let address = peer
    for (const each of forwardedFor.split(',').reverse()) {
      const before = each.trim()
      if (isIP(before) === 0 || !isTrusted(address)) return address
      address = before
    }
    return address
  }
}

/** Returns a predicate for addresses among `proxies`. */
export function createIsTrusted(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const each of proxies.flatMap((proxy) => named[proxy] ?? [proxy])) {
    const [address = '', prefix] = each.split('/')
    const family = familyOf(address)
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (address) => trusted.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
