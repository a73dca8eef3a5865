/** The platform's own names, their certificates, and which of them have none. */
import { isAddress, registrableOf } from '../../lib/names/domain-name.ts'
import { isLocalName } from '../../lib/names/local-name.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import type { CertificateFilesReader } from '../../platform/observability/alerts/certificate-files.ts'
import type { Uncovered } from '../../platform/observability/alerts/certificates.ts'

/**
 * The names that certificates are ordered for: `*.<sites' domain>` where the platform's name server can
 * answer for it, and the API's host.
 */
export function orderedNames(settings: Settings, sitesUrl: string): string[] {
  const { SVC_NAMESERVERS, SVC_URL, SVC_TLS_PORT, SVC_TLS_CERT, SVC_EDGE_TLS_CERT } = settings
  const sites = new URL(sitesUrl).hostname
  const api = SVC_URL === undefined ? undefined : new URL(SVC_URL).hostname
  return [
    ...(SVC_NAMESERVERS.length > 0 && SVC_EDGE_TLS_CERT === undefined && canBeIssued(sites)
      ? [`*.${sites}`]
      : []),
    ...(api !== undefined && SVC_TLS_PORT !== undefined && SVC_TLS_CERT === undefined && canBeIssued(api)
      ? [api]
      : []),
  ]
}

function canBeIssued(host: string): boolean {
  return !isAddress(host) && !isLocalName(host) && registrableOf(host) !== undefined
}

/** The names that a node serves at https addresses itself, and has no certificate for in `files`. */
export function uncoveredNames(
  settings: Settings,
  { covers }: Pick<CertificateFilesReader, 'covers'>,
): Uncovered[] {
  const { SVC_URL, SVC_EDGE_URL, SVC_ACME } = settings
  const ordered = SVC_ACME && SVC_EDGE_URL !== undefined ? orderedNames(settings, SVC_EDGE_URL) : []
  const sites = `*.${hostOf(SVC_EDGE_URL)}`
  const api = hostOf(SVC_URL)
  return [
    ...(servesSites(settings) && !covers('SVC_EDGE_TLS_CERT', sites)
      ? [{ name: sites, isOrdered: ordered.includes(sites), remedy: remedyOfSites(settings) }]
      : []),
    ...(servesApi(settings) && !covers('SVC_TLS_CERT', api)
      ? [{ name: api, isOrdered: SVC_ACME && canBeIssued(api), remedy: remedyOfApi }]
      : []),
  ]
}

/** Without the brackets of an address. */
function hostOf(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).hostname.replace(/^\[|\]$/g, '')
}

/** Where no port for TLS is open, a proxy in front has the certificate. */
function servesSites({ SVC_ROLES: roles, SVC_EDGE_URL, SVC_EDGE_TLS_PORT }: Settings): boolean {
  return roles.includes('edge') && SVC_EDGE_TLS_PORT !== undefined && isHttps(SVC_EDGE_URL)
}

/** A certificate that is made for development is for the API's own host. */
function servesApi({ SVC_ROLES: roles, SVC_URL, SVC_TLS_PORT, SVC_TLS_SELF_SIGNED }: Settings): boolean {
  return roles.includes('api') && SVC_TLS_PORT !== undefined && !SVC_TLS_SELF_SIGNED && isHttps(SVC_URL)
}

function isHttps(url: string | undefined): boolean {
  return url?.startsWith('https:') === true
}

function remedyOfSites({ SVC_EDGE_URL, SVC_EDGE_TLS_CERT, SVC_ACME }: Settings): string {
  const host = hostOf(SVC_EDGE_URL)
  if (SVC_EDGE_TLS_CERT !== undefined)
    return `${SVC_EDGE_TLS_CERT} (SVC_EDGE_TLS_CERT) is not for it: use one for *.${host} and ${host} there.`
  const own = 'SVC_EDGE_TLS_CERT and SVC_EDGE_TLS_KEY to a certificate for it.'
  if (!SVC_ACME || !canBeIssued(host)) return `Set ${own}`
  const delegated = `delegate ${host} to this name server, which gets one`
  return `Set SVC_NAMESERVERS and SVC_DNS_PORT, and ${delegated}. Or set ${own}`
}

const remedyOfApi =
  'Set SVC_TLS_CERT and SVC_TLS_KEY to a certificate for it, or SVC_URL to a name that the one there is for.'
