/** The public addresses of the API and of the sites. */
import type { Settings } from '../settings/variables.ts'

/** Listen addresses that are reachable from the own machine. */
const ownAddresses = ['127.0.0.1', '::1', '0.0.0.0', '::']

/** `SVC_URL`, or one with a port of the API; https if there is a port for it. */
export function publicUrl(
  { SVC_URL, SVC_HOST }: Settings,
  { port, tlsPort }: { port: number; tlsPort: number | undefined },
): string {
  if (SVC_URL !== undefined) return SVC_URL
  const host = ownAddresses.includes(SVC_HOST) ? 'localhost' : SVC_HOST
  return tlsPort === undefined ? `http://${host}:${port}` : `https://${host}:${tlsPort}`
}

/** The sites' public base address: `SVC_EDGE_URL`, or one with a port of the edge. */
export function publicSitesUrl({ SVC_EDGE_URL }: Settings, port: number): string {
  // Browsers resolve every name below localhost to this machine.
  return SVC_EDGE_URL ?? `http://localhost:${port}`
}
