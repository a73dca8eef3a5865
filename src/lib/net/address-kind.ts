/** Which network an IP address belongs to. */
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './public-address.ts'

/** `shared`: of a carrier (RFC 6598), which overlay networks use, too. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'shared'

const kinds: Partial<Record<string, AddressKind>> = {
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  linkLocal: 'link-local',
  carrierGradeNat: 'shared',
}

/** Metadata services of clouds, which give out credentials, at addresses that look like any other. */
const metadata = new Set(
  ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'].map((address) =>
    ipaddr.parse(address).toString(),
  ),
)

/** The kind of an address; undefined for metadata services, special addresses, and what is no address. */
export function addressKind(text: string): AddressKind | undefined {
  const [unzoned = ''] = text.split('%')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(unzoned) || ipaddr.IPv6.isValid(unzoned)
  if (!isAddress) return undefined
  // An IPv4 address within IPv6 is that address.
  const address = ipaddr.process(unzoned)
  if (metadata.has(address.toString())) return undefined
  return isPublicAddress(address.toString()) ? 'public' : kinds[address.range()]
}

/**
 * Whether an address may be connected to for a server that was reached at `peer`: a public one, or one as
 * inner as it.
 */
export function allowedBy(peer: string | undefined): (address: string) => boolean {
  const own = peer === undefined ? undefined : addressKind(peer)
  return (address) => {
    const kind = addressKind(address)
    return kind === 'public' || (kind !== undefined && kind === own)
  }
}
