/** The address of a repository at a forge, and where exactly it may be reached. */
import { isIP } from 'node:net'
import { httpsPort } from '../../lib/names/host-port.ts'
import { isLocalName } from '../../lib/names/local-name.ts'
import { parseUrl } from '../../lib/names/parse-url.ts'
import { addressKind } from '../../lib/net/address-kind.ts'
import { isPublicAddress } from '../../lib/net/public-address.ts'
import { type Unfetched, unfetched } from './fetch-problem.ts'
import type { ForgeAccess } from './forge-access.ts'

export type ForgeAddress = {
  /** As `URL` writes it. */
  url: string
  /** The value of `http.curloptResolve`; undefined where the host is an address itself. */
  pinned: string | undefined
}

/** Characters that `URL` would silently drop or escape. */
const unclean = /[\p{Cc}\s\\]/u

/** A host that curl and `URL` read the same way. */
const cleanHost = /^[a-z0-9._-]+$/

/**
 * Checks where `text` leads, and resolves the name, once: the connection goes to the checked addresses, so
 * that no second lookup can differ (DNS rebinding).
 */
export async function findForge(text: string, access: ForgeAccess): Promise<ForgeAddress | Unfetched> {
  const url = unclean.test(text) ? undefined : parseUrl(text)
  const problem = url ? problemOf(url, text) : 'must be one such as https://example.com/team/project.git'
  if (!url || problem !== undefined) return unfetched(`The repository's address ${problem}.`)
  url.hostname = url.hostname.replace(/\.$/, '')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || httpsPort)
  const mayBePrivate = isListed(url, access)
  if (isIP(host) !== 0) {
    return isAllowed(host, mayBePrivate) ? { url: url.href, pinned: undefined } : notPublic(host)
  }
  if (!cleanHost.test(host)) return unfetched("The repository's address has a host that is no name.")
  if (!mayBePrivate && (isLocalName(host) || !host.includes('.'))) return notPublic(host)
  const addresses = await (mayBePrivate ? access.resolvePrivate : access.resolve)(host).catch(() => [])
  if (addresses.length === 0) return unfetched(`The name ${host} has no address at present.`, 'later')
  if (!addresses.every((address) => isAllowed(address, mayBePrivate))) return notPublic(host)
  return { url: url.href, pinned: `${host}:${port}:${addresses.map(bracketed).join(',')}` }
}

/** Whether the operator listed a forge, which then may be in a private network. */
export function isListed({ hostname, port }: URL, { hosts }: Pick<ForgeAccess, 'hosts'>): boolean {
  const name = hostname.replace(/\.$/, '')
  return hosts.some((each) => each.name === name && each.port === Number(port || httpsPort))
}

function problemOf(url: URL, text: string): string | undefined {
  if (url.protocol !== 'https:' || !/^https:\/\/[^/]/i.test(text)) return 'must begin with https://'
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/]*@/i.test(text))
    return 'must not contain a user or a token'
  if (/[?#]/.test(text)) return 'must not have a query or a fragment'
  return undefined
}

/** Whether an address may be fetched from: never a cloud's metadata service, which gives out credentials. */
function isAllowed(address: string, isListed: boolean): boolean {
  return isListed ? addressKind(address) !== undefined : isPublicAddress(address)
}

function notPublic(host: string): Unfetched {
  return unfetched(
    `${host} is not a public host: the operator of this server lists private forges in SVC_GIT_HOSTS.`,
  )
}

const bracketed = (address: string) => (isIP(address) === 6 ? `[${address}]` : address)
