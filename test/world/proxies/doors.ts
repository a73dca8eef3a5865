/** Ways to two nodes: each of the proxies, and none. */
import type { NodePair } from '../../support/node-pair.ts'
import { startCaddy } from '../../support/proxies/caddy.ts'
import { startHaproxy } from '../../support/proxies/haproxy.ts'
import { startNginx } from '../../support/proxies/nginx.ts'
import { apiHost, openProxy, type RunningProxy, type StartProxy } from '../../support/proxies/proxy.ts'
import { isInstalled } from '../needs.ts'

const all = [
  { name: 'HAProxy', start: startHaproxy },
  { name: 'Caddy', start: startCaddy },
  { name: 'nginx', start: startNginx },
] as const

/** Those that are installed. */
export const proxies: readonly { name: string; start: StartProxy }[] = all.filter(({ name }) =>
  isInstalled(name),
)

/** Where a host's requests go; `ca` only with TLS. */
export type Door = {
  placeOf(host: string): { host: string; port: number; ca?: string }
  close(): Promise<void>
}

/** The door of a proxy in front of `pair`. */
export async function openDoor(start: StartProxy, pair: NodePair): Promise<Door> {
  const { port, ca, close }: RunningProxy = await openProxy(start, pair)
  return { placeOf: () => ({ host: '127.0.0.1', port, ca }), close }
}

/** The first node itself. */
export function directDoor({ addresses, ports }: NodePair): Door {
  const placeOf = (host: string) => ({
    host: addresses[0],
    port: Number(host === apiHost ? ports.api : ports.edge),
  })
  return { placeOf, close: async () => {} }
}
