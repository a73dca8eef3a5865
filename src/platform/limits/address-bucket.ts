/** Rate limit keys for client addresses. */
import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4 address, also one mapped to IPv6, is one client; for IPv6 the /64, which is one customer's. */
export function addressBucket(address: string): string {
  if (isIPv4(address)) return address
  const [plain = ''] = address.split('%', 1)
  // A proxy may forward something else.
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  return isMapped(groups) ? ipv4Of(groups.slice(6)) : groups.slice(0, 4).map(hex).join(':')
}

/** The network of an address that one customer typically gets: an IPv4 /24, an IPv6 /56. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address.slice(0, address.lastIndexOf('.'))
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  if (isMapped(groups)) return networkOf(ipv4Of(groups.slice(6)))
  const [first = 0, second = 0, third = 0, fourth = 0] = groups
  return [first, second, third, fourth & 0xff00].map(hex).join(':')
}

/**
 * An address truncated for privacy: an IPv4 /24 or an IPv6 /48, such as `203.0.113.0/24`; `unknown` for an
 * invalid one.
 */
export function prefixOf(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (isIPv4(plain)) return `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  if (isMapped(groups)) return prefixOf(ipv4Of(groups.slice(6)))
  // As in RFC 5952: trailing zeros, of which there are always some, become one `::`.
  return `${groups
    .slice(0, 3)
    .map(hex)
    .join(':')
    .replace(/(?:^0)?(?::0)*$/, '')}::/48`
}

function isMapped(groups: number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
}

/** The eight groups of an IPv6 address (RFC 4291, section 2.2). */
function groupsOf(address: string): number[] {
  // The URL parser writes an IPv4 tail in hexadecimal.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const left = parseGroups(head)
  if (tail === undefined) return left
  const right = parseGroups(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

function ipv4Of(groups: number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}

function hex(group: number): string {
  return group.toString(16)
}
