/** All processes of a run: stores, nodes, load balancer, and what clients and receivers need. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
import { generousRates } from '../../support/rates.ts'
import type { Recorder } from '../history/recorder.ts'
import { startBalancer } from './balancer.ts'
import { mountSmall, type SmallDisk } from './disk.ts'
import { type FleetProxy, type S3, startProxies, startS3Process } from './helpers.ts'
import { createNode, type FleetNode, type Role } from './node.ts'
import { choosePorts } from './ports.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type Redis, startRedis } from './redis.ts'

export type Fleet = {
  nodes: FleetNode[]
  postgres: Postgres
  redis: Redis
  s3: S3
  /** Between the nodes and PostgreSQL, and S3. */
  proxies: { postgres: FleetProxy; s3: FleetProxy }
  /** The small disks of some nodes' data directories; none where this process may not mount. */
  disks: SmallDisk[]
  /** Where the domains' proofs are published. */
  resolver: DnsServer
  apiUrl: string
  /** The port of the sites, at the load balancer. */
  edgePort: number
  dnsPort: number
  /** The first owner key. */
  key: string
}

type Options = {
  directory: string
  program: string
  canMount: boolean
  recorder: Recorder
  /** Runs this when the fleet ends; the last added runs first. */
  cleanUp: (work: () => unknown) => void
}

const counts: Record<Role, number> = { api: 3, edge: 2, worker: 2, dns: 1 }

/** Nodes whose data directory is on a small disk of its own. */
const onSmallDisks = ['api-1', 'edge-1']
const smallCacheBytes = 8 * 1024 * 1024

/** Starts everything; resolves once all nodes are ready. */
export async function startFleet(options: Options): Promise<Fleet> {
  const { directory, cleanUp } = options
  const names = Object.entries(counts).flatMap(([role, count]) =>
    Array.from({ length: count }, (_, at) => ({ role: role as Role, name: `${role}-${at + 1}` })),
  )
  const [api = 0, edge = 0, dns = 0, sql = 0, cache = 0, toSql = 0, toS3 = 0, ...own] = await choosePorts(
    7 + 3 * names.length,
  )
  const [postgres, redis, s3, resolver] = await Promise.all([
    startPostgres(directory, sql),
    startRedis(directory, cache),
    startS3Process(),
    startDnsServer(),
  ])
  cleanUp(() => postgres.close())
  cleanUp(() => redis.kill())
  cleanUp(s3.close)
  cleanUp(resolver.close)
  const processes = startProxies()
  cleanUp(processes.close)
  const proxies = {
    postgres: await processes.start(postgres.port, toSql),
    s3: await processes.start(Number(new URL(s3.address.endpoint).port), toS3),
  }
  const shared = {
    ...storeSettings({ proxies, s3, redis }),
    ...commonSettings,
    SVC_URL: `http://127.0.0.1:${api}`,
    SVC_EDGE_URL: `http://sites.fleet.net:${edge}`,
    SVC_RESOLVERS: resolver.address,
  }
  const disks: SmallDisk[] = []
  const nodes: FleetNode[] = []
  for (const [at, { name, role }] of names.entries()) {
    const ports = portsOf(own, at)
    const data = join(directory, name)
    await mkdir(data)
    if (options.canMount && onSmallDisks.includes(name)) {
      const disk = await mountSmall(name, data)
      disks.push(disk)
      cleanUp(disk.unmount)
    }
    const env = {
      ...shared,
      SVC_ROLES: role,
      SVC_DATA_DIR: data,
      SVC_PORT: String(ports.api),
      SVC_EDGE_PORT: String(ports.edge),
      SVC_INTERNAL_PORT: String(ports.internal),
      ...(role === 'dns' && { SVC_DNS_PORT: String(dns) }),
      ...(onSmallDisks.includes(name) && { SVC_CACHE_BYTES: String(smallCacheBytes) }),
    }
    nodes.push(createNode({ ...options, name, role, internalPort: ports.internal, env, logs: directory }))
  }
  cleanUp(() => Promise.all(nodes.map((node) => node.end('SIGKILL'))))
  const backends = (role: Role) =>
    names.flatMap((each, at) => {
      const ports = portsOf(own, at)
      const port = role === 'api' ? ports.api : ports.edge
      return each.role === role ? [{ name: each.name, port, internalPort: ports.internal }] : []
    })
  const balanced = { ports: { api, edge }, api: backends('api'), edge: backends('edge') }
  const balancer = await startBalancer({ directory, ...balanced })
  cleanUp(() => balancer.end('SIGKILL'))
  const key = await startNodes(nodes)
  const where = { apiUrl: shared.SVC_URL, edgePort: edge, dnsPort: dns }
  return { nodes, postgres, redis, s3, proxies, disks, resolver, ...where, key }
}

function portsOf(ports: number[], at: number) {
  const [api = 0, edge = 0, internal = 0] = ports.slice(3 * at)
  return { api, edge, internal }
}

/** The first one creates the owner key; the others start at once. */
async function startNodes([first, ...others]: FleetNode[]): Promise<string> {
  const greeting = (await first?.start({}, /^svc_\w+$/m)) ?? ''
  await Promise.all(others.map((node) => node.start()))
  return /^svc_\w+$/m.exec(greeting)?.[0] ?? ''
}

function storeSettings({ proxies, s3, redis }: Pick<Fleet, 'proxies' | 's3' | 'redis'>) {
  const { region, bucket, accessKeyId, secretAccessKey } = s3.address
  return {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${proxies.postgres.port}/postgres`,
    REDIS_URL: redis.url,
    SVC_BLOBS: `s3://${bucket}/fleet`,
    SVC_S3_ENDPOINT: `http://127.0.0.1:${proxies.s3.port}`,
    SVC_S3_REGION: region,
    SVC_S3_ACCESS_KEY_ID: accessKeyId,
    SVC_S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

const commonSettings = {
  ...generousRates,
  SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SVC_TRUSTED_PROXIES: 'loopback',
  SVC_EDGE_CONNECTIONS: '0',
  SVC_DNS_RATE: '0',
  SVC_NAMESERVERS: 'ns1.fleet.net',
  SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  SVC_DASHBOARD: 'off',
}
