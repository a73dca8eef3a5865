/** The address at which clients reach the API. */
import type { Settings } from '../settings/variables.ts'

/** Addresses under which a node listens for callers from its own machine, too. */
const ownAddresses = ['127.0.0.1', '::1', '0.0.0.0', '::']

/** `SVC_URL`, or what follows from the ports on which the API listens; HTTPS where there is a port for it. */
export function publicUrl(
  { SVC_URL, SVC_HOST }: Settings,
  { port, tlsPort }: { port: number; tlsPort: number | undefined },
): string {
  if (SVC_URL !== undefined) return SVC_URL
  const host = ownAddresses.includes(SVC_HOST) ? 'localhost' : SVC_HOST
  return tlsPort === undefined ? `http://${host}:${port}` : `https://${host}:${tlsPort}`
}
