/** The network of a server, as its project has set it. */
import type { RuntimeSettings } from '../../../stores/db/schema/projects.ts'
import type { ListenerAddress } from '../../sandbox/listeners/open-listeners.ts'

/** `web`: HTTP and HTTPS; `tcp`: `ports` as well. */
export type Reach = { network: 'web' | 'tcp'; ports: readonly number[] }

/** Undefined where a server reaches nothing, as all do whose sources are of somebody outside the team. */
export function reachOf({ network, ports }: RuntimeSettings, isUntrusted: boolean): Reach | undefined {
  return network === 'none' || isUntrusted ? undefined : { network, ports: ports ?? [] }
}

const webPorts = [80, 443]

const here = '127.0.0.1'

/** The port of proxies in a network without a route, which is the sandbox's own. */
const proxyPort = 3_128

/**
 * The network of the sandbox: its listeners, whether all addresses are its own (`isRouted`), variables for
 * the server, and the content of its /etc/resolv.conf.
 */
export type NetworkPlan = {
  listeners: ListenerAddress[]
  isRouted: boolean
  env: Record<string, string>
  resolvers: string | undefined
}

/** The ports that a server reaches, in order. */
export function reachedPorts({ network, ports }: Reach): number[] {
  const all = network === 'tcp' ? [...webPorts, ...ports] : webPorts
  return [...new Set(all)].sort((a, b) => a - b)
}

/** With `isRouted` connections arrive from all clients; without, from those that use proxies alone. */
export function planNetwork(reach: Reach, isRouted: boolean): NetworkPlan {
  return isRouted ? routed(reach) : proxied()
}

function routed(reach: Reach): NetworkPlan {
  return {
    listeners: [
      ...reachedPorts(reach).map((port) => ({ protocol: 'tcp' as const, address: '::', port })),
      { protocol: 'udp', address: here, port: 53 },
    ],
    isRouted: true,
    env: {},
    resolvers: `nameserver ${here}\n`,
  }
}

function proxied(): NetworkPlan {
  const proxy = `http://${here}:${proxyPort}`
  const direct = 'localhost,127.0.0.1,::1'
  return {
    listeners: [{ protocol: 'tcp', address: here, port: proxyPort }],
    isRouted: false,
    env: {
      ...{ HTTPS_PROXY: proxy, https_proxy: proxy, HTTP_PROXY: proxy, http_proxy: proxy },
      ...{ NO_PROXY: direct, no_proxy: direct, NODE_USE_ENV_PROXY: '1' },
    },
    resolvers: undefined,
  }
}

/** The sentences for the log of a server whose node has no route; `node` is its version of Node.js. */
export function withoutRoute({ network, ports }: Reach, node: string): string {
  const [major = 0] = node.split('.').map(Number)
  const clients =
    major >= 24
      ? 'clients that read the variable HTTPS_PROXY do, `fetch` and `node:https` among them'
      : 'clients that read the variable HTTPS_PROXY do, which before Node.js 24 ' +
        '`fetch`, `node:http` and `node:https` do not'
  const missing =
    network === 'tcp'
      ? ` The ports ${ports.join(', ')} are out of reach until the operator of the node installs iproute2.`
      : ''
  const why = 'This node has no local route (its log says why). HTTP and HTTPS go through a proxy:'
  return `${why} ${clients}.${missing}`
}
