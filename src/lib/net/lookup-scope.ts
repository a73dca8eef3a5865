/** The names and addresses that lookups for teams may use: nothing inside the operator's network. */
import ipaddr from 'ipaddr.js'
import { isLocalName } from '../names/local-name.ts'
import { isPublicAddress } from './public-address.ts'

export type Reach = {
  /** Whether the name may be looked up. */
  name(name: string): boolean
  /** Whether an address in a response may be revealed. */
  address(address: string): boolean
}

/** Documentation ranges (RFC 5737, RFC 3849): they lead nowhere, so there is nothing to hide. */
const documentation = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map((range) =>
  ipaddr.parseCIDR(range),
)

function isForDocumentation(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return documentation.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
}

/** Allows public addresses and those of `own`, which the operator has set; with `resolvePrivate` all. */
export function createReach({ own, resolvePrivate }: { own: string[]; resolvePrivate: boolean }): Reach {
  const known = new Set(own.map(canonical))
  return {
    name: (name) => resolvePrivate || !isLocalName(name),
    address: (address) =>
      resolvePrivate ||
      isPublicAddress(address) ||
      isForDocumentation(address) ||
      known.has(canonical(address)),
  }
}

/** The canonical form of an address (RFC 5952). */
function canonical(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address
}
