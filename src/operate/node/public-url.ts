/** The public addresses of the API and of the sites. */
import { httpsPort } from '../../lib/names/host-port.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'

/** Listen addresses that are reachable from the own machine. */
const ownAddresses = ['127.0.0.1', '::1', '0.0.0.0', '::']

/** `tlsPort`: undefined without HTTPS. */
type Ports = { port: number; tlsPort: number | undefined }

/** `SVC_URL`, or one with a port of the API; https if there is a port for it. */
export function publicUrl({ SVC_URL, SVC_HOST }: Settings, { port, tlsPort }: Ports): string {
  if (SVC_URL !== undefined) return SVC_URL
  const host = ownAddresses.includes(SVC_HOST) ? 'localhost' : SVC_HOST
  return tlsPort === undefined ? `http://${host}:${port}` : `https://${host}:${tlsPort}`
}

/**
 * The address of the API as far as the settings of a node say it: undefined where another node has the API,
 * and `SVC_URL` isn't set.
 */
export function knownApiUrl(settings: Settings): string | undefined {
  const { SVC_ROLES: roles, SVC_URL, SVC_PORT: port, SVC_TLS_PORT: tlsPort } = settings
  return roles.includes('api') ? publicUrl(settings, { port, tlsPort }) : SVC_URL
}

/** The ports of edges, as the settings say. */
export function edgePortsOf({ SVC_EDGE_PORT, SVC_EDGE_TLS_PORT }: Settings): Ports {
  return { port: SVC_EDGE_PORT, tlsPort: SVC_EDGE_TLS_PORT }
}

/** The URLs of the sites, with the ports of an edge. */
export function siteUrlsOf(settings: Settings, { port, tlsPort }: Ports): SiteUrls {
  const sitesUrl = publicSitesUrl(settings, port)
  return { sitesUrl, certifiedUrl: certifiedUrlOf(sitesUrl, tlsPort) }
}

/**
 * The base address of domains with a certificate. Where that of the sites is https, its port is the one that
 * visitors reach, whatever the edge's own is.
 */
export function certifiedUrlOf(sitesUrl: string, tlsPort: number | undefined): string {
  const { protocol, hostname } = new URL(sitesUrl)
  if (tlsPort === undefined || protocol === 'https:') return sitesUrl
  return `https://${hostname}${tlsPort === httpsPort ? '' : `:${tlsPort}`}`
}

/** The sites' public base address: `SVC_EDGE_URL`, or one with a port of the edge. */
export function publicSitesUrl({ SVC_EDGE_URL }: Settings, port: number): string {
  // Browsers resolve every name below localhost to this machine.
  return SVC_EDGE_URL ?? `http://localhost:${port}`
}
