/** Places inside the operator's network that servers of a team may connect to. */
import { isIP } from 'node:net'
import { canonicalAddress } from './canonical-address.ts'
import { parseHostPort } from './host-port.ts'

/** `team` is its slug or id, `*` for all; `name` an address as `canonicalAddress` has it, or a host name. */
export type PrivatePlace = { team: string; name: string; port: number }

/**
 * Parses `team=host:port`, an IPv6 address in brackets; undefined if it isn't that. Names aren't checked.
 */
export function parsePrivatePlace(text: string): PrivatePlace | undefined {
  const [, team, place = ''] = /^([\w*-]+)=(.+)$/.exec(text.trim()) ?? []
  const destination = parseDestination(place)
  return team && destination ? { team, ...destination } : undefined
}

/**
 * Parses `host:port`, as a request to a proxy names it (RFC 9110, section 7.1): the port is part of it.
 */
export function parseDestination(text: string): Omit<PrivatePlace, 'team'> | undefined {
  const [, address = '', digits = ''] = /^\[([0-9a-f:.]{2,45})\]:(\d{1,5})$/i.exec(text) ?? []
  if (isIP(address) === 6) {
    const parsed = parseHostPort(`v6:${digits}`)
    return parsed && { ...parsed, name: canonicalAddress(address) }
  }
  if (!/^[\w.-]{1,253}:\d{1,5}$/.test(text)) return undefined
  const parsed = parseHostPort(text)
  return parsed && { ...parsed, name: canonicalAddress(parsed.name) }
}

/** Its name and port, an IPv6 address in brackets. */
export function describeDestination({ name, port }: Omit<PrivatePlace, 'team'>): string {
  return isIP(name) === 6 ? `[${name}]:${port}` : `${name}:${port}`
}
