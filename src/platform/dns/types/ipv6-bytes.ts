import ipaddr from 'ipaddr.js'

/** The 16 bytes of an IPv6 address. */
export function ipv6Bytes(address: string): Uint8Array {
  // The library takes ::192.0.2.1 for ::ffff:192.0.2.1.
  return Uint8Array.from(ipaddr.IPv6.parse(address.replace(/^::(?=\d+\.)/, '0::')).toByteArray())
}
