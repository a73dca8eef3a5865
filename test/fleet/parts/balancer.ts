/** HAProxy in front of the API and of the edges. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'

type Backend = { name: string; port: number; internalPort: number }

type Options = {
  directory: string
  /** The ports that it listens on. */
  ports: { api: number; edge: number }
  api: Backend[]
  edge: Backend[]
}

/** The header of each response that names the process that it came from, or that failed. */
export const nodeHeader = 'x-fleet-node'

/** Longer than any response may take. */
const timeout = '90s'

export async function startBalancer(options: Options): Promise<Child> {
  const file = join(options.directory, 'haproxy.cfg')
  await writeFile(file, configuration(options))
  return startChild(['haproxy', '-db', '-f', file], { log: join(options.directory, 'haproxy.log') })
}

/**
 * A process is taken out when it isn't ready, and requests that didn't reach one go to another; of what
 * reached one, only reads that got no response are repeated, as in `deploy/haproxy`: a process can't stop
 * listening without resetting what connects at that very moment.
 */
function configuration({ ports, api, edge }: Options): string {
  return `
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client ${timeout}
  timeout server ${timeout}
  timeout check 3s
  option redispatch 1
  option forwardfor
  retries 3
  retry-on conn-failure empty-response
  option httpchk GET /readyz
  default-server check inter 500ms fall 2 rise 1
${proxy('api', ports.api, api)}
${proxy('edge', ports.edge, edge)}
`
}

function proxy(name: string, port: number, backends: Backend[]): string {
  const servers = backends.map(
    (each) => `  server ${each.name} 127.0.0.1:${each.port} port ${each.internalPort}`,
  )
  return [
    `listen ${name}`,
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  http-request disable-l7-retry unless METH_GET or { method HEAD }',
    `  http-after-response set-header ${nodeHeader} %[srv_name]`,
    ...servers,
  ].join('\n')
}
