/** Tells public addresses from internal ones. */
import ipaddr from 'ipaddr.js'

/** Global unicast (RFC 4291, section 2.4): everything else is special or unassigned. */
const globalUnicast = ipaddr.IPv6.parse('2000::')

/** IETF protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID and their like. */
const protocolAssignments = ipaddr.IPv6.parse('2001::')

/** Azure's metadata service, at what looks like a public address. */
const azureMetadata = '168.63.129.16'

/** Whether an address is public: not private, loopback, link-local, metadata or otherwise special. */
export function isPublicAddress(text: string): boolean {
  // Other notations (127.1, 0x7f.1, with a zone) aren't parsed here, so they aren't public.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return text !== azureMetadata && ipaddr.IPv4.parse(text).range() === 'unicast'
  }
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  return (
    address.range() === 'unicast' &&
    address.match(globalUnicast, 3) &&
    !address.match(protocolAssignments, 23)
  )
}
