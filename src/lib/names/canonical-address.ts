/** One notation for each address. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address in its shortest notation, an IPv4 one in IPv6 (`::ffff:…`) as IPv4; else the text. */
export function canonicalAddress(text: string): string {
  return isIP(text) === 0 || text.includes('%') ? text : ipaddr.process(text).toString()
}
