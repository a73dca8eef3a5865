/** A and AAAA: the addresses of a host. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { TypeRule } from './rule.ts'

/** RFC 1035, section 3.4.1: four decimal numbers. */
export const a: TypeRule = {
  numbers: [],
  readValue(text) {
    if (isIPv4(text)) return text
    return { problem: 'must be an IPv4 address such as 203.0.113.7' }
  },
}

/** RFC 3596, in the canonical form of RFC 5952; IPv4-mapped addresses are allowed, as in BIND. */
export const aaaa: TypeRule = {
  numbers: [],
  readValue(text) {
    // With a zone, as in fe80::1%eth0, it is only valid on one machine.
    if (isIPv6(text) && !text.includes('%'))
      return new SocketAddress({ address: text, family: 'ipv6' }).address
    return { problem: 'must be an IPv6 address such as 2001:db8::7' }
  },
}
