/** AAAA: an IPv6 address of a host (RFC 3596). */
import { isIPv6, SocketAddress } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ipv6Bytes } from './ipv6-bytes.ts'
import type { TypeRule } from './rule.ts'

/** In the canonical form of RFC 5952; IPv4-mapped addresses are allowed, as in BIND. */
export const aaaa: TypeRule = {
  numbers: [],
  readValue(text) {
    // With a zone, as in fe80::1%eth0, it is only valid on one machine.
    if (isIPv6(text) && !text.includes('%'))
      return new SocketAddress({ address: text, family: 'ipv6' }).address
    return { problem: 'must be an IPv6 address such as 2001:db8::7' }
  },
  dataBytes: () => 16,
  text: {
    takes: ['an IPv6 address'],
    read: ([address = '']) => ({ value: address }),
    write: ({ value }) => value,
  },
  wire: {
    read: (reader) => ({ value: ipaddr.fromByteArray([...reader.bytes(16)]).toString() }),
    leastBytes: 16,
    write: (writer, { value }) => writer.bytes(ipv6Bytes(value)),
  },
}
