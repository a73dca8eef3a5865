/** The public address of the API. */
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
