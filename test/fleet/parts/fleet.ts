/** All processes of a run: stores, nodes, load balancer, and what clients and receivers need. */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newCertificate } from '../../support/certificate.ts'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
import { generousRates } from '../../support/rates.ts'
import type { Recorder } from '../history/recorder.ts'
import { startBalancer } from './balancer.ts'
import { mountSmall, type SmallDisk } from './disk.ts'
import { type FleetProxy, type S3, startProxies, startS3Process } from './helpers.ts'
import { boundMemory } from './memory.ts'
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
  /** Of what the nodes share: the stores, the proxies and the balancer. */
  sharedPids(): number[]
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
  /** The nodes have the limits that they have by themselves, and as much memory as deploy/ gives them. */
  isAttacked: boolean
  /** Runs this when the fleet ends; the last added runs first. */
  cleanUp: (work: () => unknown) => void
}

/** Where the balancer is, and the load: addresses that say for whom they speak. */
const attackedSettings = {
  SVC_TRUSTED_PROXIES: '127.0.0.1',
}

/** Of nodes: of the API, the sites, the sites over TLS, and inside. */
const portsOfNode = 4

const counts: Record<Role, number> = { api: 3, edge: 2, worker: 2, dns: 1 }

/** Nodes whose data directory is on a small disk of its own. */
const onSmallDisks = ['api-1', 'edge-1']
const smallCacheBytes = 8 * 1024 * 1024

/** Starts everything; resolves once all nodes are ready. */
export async function startFleet(options: Options): Promise<Fleet> {
  const { directory, cleanUp, recorder, isAttacked } = options
  const names = Object.entries(counts).flatMap(([role, count]) =>
    Array.from({ length: count }, (_, at) => ({ role: role as Role, name: `${role}-${at + 1}` })),
  )
  const [api = 0, edge = 0, dns = 0, sql = 0, cache = 0, toSql = 0, toS3 = 0, ...own] = await choosePorts(
    7 + portsOfNode * names.length,
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
    ...(isAttacked ? attackedSettings : unlimited),
    SVC_URL: `http://127.0.0.1:${api}`,
    SVC_EDGE_URL: `http://sites.fleet.net:${edge}`,
    SVC_RESOLVERS: resolver.address,
  }
  const certificate = isAttacked ? await edgeCertificate(directory) : {}
  const disks: SmallDisk[] = []
  const nodes: FleetNode[] = []
  for (const [at, { name, role }] of names.entries()) {
    const ports = portsOf(own, at)
    const data = join(directory, name)
    await mkdir(data)
    if (options.canMount && !isAttacked && onSmallDisks.includes(name)) {
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
      ...(isAttacked && role === 'edge' && { SVC_EDGE_TLS_PORT: String(ports.tls), ...certificate }),
      ...(role === 'dns' && { SVC_DNS_PORT: String(dns) }),
      ...(!isAttacked && onSmallDisks.includes(name) && { SVC_CACHE_BYTES: String(smallCacheBytes) }),
    }
    const memory = isAttacked ? await boundMemory({ name, role }, recorder) : undefined
    if (memory) cleanUp(memory.close)
    nodes.push(createNode({ ...options, name, role, ports, env, logs: directory, memory }))
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
  const sharedPids = () =>
    [postgres.pid(), redis.pid(), s3.pid, processes.pid, balancer.process.pid].flatMap((pid) => pid ?? [])
  const where = { apiUrl: shared.SVC_URL, edgePort: edge, dnsPort: dns }
  return { nodes, postgres, redis, s3, proxies, disks, sharedPids, resolver, ...where, key }
}

function portsOf(ports: number[], at: number) {
  const [api = 0, edge = 0, internal = 0, tls = 0] = ports.slice(portsOfNode * at)
  return { api, edge, internal, tls }
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

/** What the load needs where it is all that there is. */
const unlimited = {
  ...generousRates,
  SVC_TRUSTED_PROXIES: 'loopback',
  SVC_EDGE_CONNECTIONS: '0',
  SVC_DNS_RATE: '0',
}

const commonSettings = {
  SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SVC_NAMESERVERS: 'ns1.fleet.net',
  SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  SVC_DASHBOARD: 'off',
  SVC_BUILD_NETWORK: 'none',
}

/** A certificate for the names of the sites. */
async function edgeCertificate(directory: string): Promise<Record<string, string>> {
  const { cert, key } = await newCertificate('*.sites.fleet.net')
  const files = {
    SVC_EDGE_TLS_CERT: join(directory, 'edge.crt'),
    SVC_EDGE_TLS_KEY: join(directory, 'edge.key'),
  }
  await writeFile(files.SVC_EDGE_TLS_CERT, cert)
  await writeFile(files.SVC_EDGE_TLS_KEY, key)
  return { SVC_EDGE_HTTPS_REDIRECT: '0', ...files }
}
