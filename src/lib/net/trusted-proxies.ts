/** Which addresses are proxies whose word about clients is taken. */
import { BlockList, isIPv6 } from 'node:net'

const named: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
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
