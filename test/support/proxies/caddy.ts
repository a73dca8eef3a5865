/** Caddy with the file of deploy/, and an authority of its own. */
import { join, resolve } from 'node:path'
import type { NodePair } from '../node-pair.ts'
import { freePort } from '../ports.ts'
import { apiHost, type Started, sitesHost, spawnProxy } from './proxy.ts'

export const caddyPath = '/usr/bin/caddy'

/** Starts it in front of both nodes. */
export async function startCaddy({ addresses, ports }: NodePair, directory: string): Promise<Started> {
  const port = await freePort()
  const nodes = (each: string) => addresses.map((address) => `${address}:${each}`).join(' ')
  const child = spawnProxy(
    caddyPath,
    ['run', '--adapter', 'caddyfile', '--config', resolve('deploy/caddy/Caddyfile')],
    {
      XDG_DATA_HOME: directory,
      XDG_CONFIG_HOME: directory,
      HOME: directory,
      API_HOST: apiHost,
      SITES_HOST: sitesHost,
      API_NODES: nodes(ports.api),
      EDGE_NODES: nodes(ports.edge),
      INTERNAL_NODES: nodes(ports.internal),
      INTERNAL_PORT: ports.internal,
      ASK_PORT: await freePort(),
      CADDY_OPTIONS: [
        'local_certs',
        'skip_install_trust',
        `http_port ${await freePort()}`,
        `https_port ${port}`,
        'default_bind 127.0.0.1',
      ].join('\n'),
    },
  )
  return { process: child, port: Number(port), ca: join(directory, 'caddy/pki/authorities/local/root.crt') }
}
