/** Which hosts are reached without a proxy: `NO_PROXY`, and this machine itself. */
import { BlockList, isIP } from 'node:net'

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' }

/**
 * Whether the list, separated by commas or blanks, names the host of `url`: by `*`, a domain (with those
 * below it, also written `.domain` or `*.domain`), an address or a network (`10.0.0.0/8`), each with a port
 * where only that one is meant. Addresses of this machine are always reached directly, as are `localhost` and
 * names below it.
 */
export function isDirect(list: string, url: URL): boolean {
  const host = bare(url.hostname)
  if (isOwn(host)) return true
  const port = url.port || defaultPorts[url.protocol]
  return list.split(/[\s,]+/).some((entry) => {
    const { host: named, port: only } = parseEntry(entry.toLowerCase())
    return named !== '' && (only === undefined || only === port) && matches(named, host)
  })
}

function isOwn(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || inNetwork('127.0.0.0', 8, host) || host === '::1'
  )
}

/** Without the brackets of an IPv6 address, and the dot at the end of an absolute name. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function parseEntry(entry: string): { host: string; port: string | undefined } {
  // An IPv6 address has colons itself; with a port it is in brackets.
  if (isIP(entry) === 6 || /^[^[]*:[^[]*:.*\/\d+$/.test(entry)) return { host: entry, port: undefined }
  const [, host = entry, port] = /^(.+?):(\d+)$/.exec(entry) ?? []
  return { host: bare(host), port }
}

function matches(named: string, host: string): boolean {
  if (named === '*') return true
  const [, network = '', bits] = /^(.+)\/(\d{1,3})$/.exec(named) ?? []
  if (bits !== undefined) return inNetwork(network, Number(bits), host)
  if (isIP(named) !== 0 || isIP(host) !== 0) return sameAddress(named, host)
  const domain = named.replace(/^\*?\./, '')
  return host === domain || host.endsWith(`.${domain}`)
}

function sameAddress(named: string, host: string): boolean {
  return inNetwork(named, isIP(named) === 6 ? 128 : 32, host)
}

function inNetwork(network: string, bits: number, host: string): boolean {
  const family = familyOf(network)
  if (family === undefined || family !== familyOf(host) || bits > (family === 'ipv6' ? 128 : 32)) return false
  const list = new BlockList()
  list.addSubnet(network, bits, family)
  return list.check(host, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)]
}
