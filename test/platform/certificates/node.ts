/** A node that gets certificates from pebble. */
import { eq } from 'drizzle-orm'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { claim } from '../../support/claims.ts'
import { createDatabase } from '../../support/databases.ts'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { type Pebble, startPebble } from '../../support/pebble.ts'
import { freePort } from '../../support/ports.ts'
import { type RenewalInfoServer, startRenewalInfo } from '../../support/renewal-info.ts'
import type { TestTeam } from '../../support/team.ts'

export type CertifiedNode = {
  node: TestNode
  pebble: Pebble
  dns: DnsServer
  httpPort: string
  tlsPort: string
  /** The authority's own certificate, PEM. */
  root: string
  /** In front of the authority, where it is wanted. */
  renewalInfo: RenewalInfoServer | undefined
  close(): Promise<void>
}

type Options = {
  /** Of the authority. */
  environment?: Record<string, string>
  /** The port at which it validates, if it is not the node's. */
  httpPort?: string
  dnsServer?: string
  hasRenewalInfo?: boolean
  /** What the directory of an authority with renewal information calls it in CAA records. */
  caaIdentities?: string[]
}

/** On a database of its own, since nodes order the certificates of all domains in theirs. */
export async function startCertifiedNode(
  environment: Record<string, string> = {},
  {
    httpPort: validatedPort,
    dnsServer,
    hasRenewalInfo = false,
    caaIdentities = [],
    ...options
  }: Options = {},
): Promise<CertifiedNode> {
  const [httpPort, tlsPort] = [await freePort(), await freePort()]
  const dns = await startDnsServer()
  const pebble = await startPebble({
    httpPort: validatedPort ?? httpPort,
    tlsPort,
    dnsServer: dnsServer ?? dns.address,
    ...options,
  })
  const renewalInfo = hasRenewalInfo
    ? await startRenewalInfo(pebble.directoryUrl, pebble.directory)
    : undefined
  if (renewalInfo) renewalInfo.caaIdentities = caaIdentities
  const server = process.env.TEST_ON
  const database = server === undefined ? undefined : await createDatabase(server)
  const node = await startTestNode({
    ...(database && { DATABASE_URL: database.url }),
    SVC_DATABASE_CONNECTIONS: '1',
    SVC_EDGE_PORT: httpPort,
    SVC_EDGE_TLS_PORT: tlsPort,
    SVC_RESOLVERS: dns.address,
    SVC_ACME: '1',
    SVC_ACME_DIRECTORY: renewalInfo?.directoryUrl ?? pebble.directoryUrl,
    SVC_ACME_CA: pebble.caFile,
    ...environment,
  })
  return {
    node,
    pebble,
    dns,
    httpPort,
    tlsPort,
    root: await pebble.root(),
    renewalInfo,
    async close() {
      await node.stop()
      await renewalInfo?.close()
      await pebble.close()
      await dns.close()
      await database?.drop()
    },
  }
}

/** A verified domain of the team that leads to this machine, and shows the project. Resolves to its name. */
export async function servedDomain(
  { node, dns }: Pick<CertifiedNode, 'node' | 'dns'>,
  team: TestTeam,
  project: string,
  domain = `${unique('www')}.example`,
): Promise<string> {
  dns.set(domain, 'A', ['127.0.0.1'])
  const id = await claim(node, team, domain, { proven: true, project })
  await node.installation.store.db
    .update(domains)
    // It is not checked again, whatever a test does to its records.
    .set({ configured: true, nextCheckMs: Date.now() + 86_400_000 })
    .where(eq(domains.id, id))
  return domain
}
