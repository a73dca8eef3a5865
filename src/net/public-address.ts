/** Which addresses are anybody's on the internet, and which only lead somewhere inside. */
import ipaddr from 'ipaddr.js'

/** Global unicast (RFC 4291, section 2.4): whatever lies outside is special, also what nobody has named yet. */
const globalUnicast = ipaddr.IPv6.parse('2000::')

/** IETF protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID and their like. */
const protocolAssignments = ipaddr.IPv6.parse('2001::')

/** Inside Azure the service that gives machines their credentials, at what looks like a public address. */
const azureMetadata = '168.63.129.16'

/** Whether a request to this address can reach no private, loopback, link-local, metadata or other special one. */
export function isPublicAddress(text: string): boolean {
  // Other spellings (127.1, 0x7f.1, with a zone) are no addresses here: what isn't understood isn't public.
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
