/** A node that checks domains with the test's DNS server, and helpers for its tests. */
import { eq } from 'drizzle-orm'
import { checkDue } from '../../../../src/platform/domains/check/due.ts'
import { createDomainResolver } from '../../../../src/platform/domains/check/resolver.ts'
import { domains } from '../../../../src/stores/db/schema/domains.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type DnsServer, startDnsServer } from '../../../support/dns-server.ts'
import type { TestNode } from '../../../support/node.ts'

export const dayMs = 24 * 3_600_000

export type DomainNode = { node: TestNode; dns: DnsServer; stop: () => Promise<void> }

/** Its edge is at 192.0.2.1 and 2001:db8::1, and at edge.example.net; its worker is off. */
export async function startDomainNode(environment: Record<string, string> = {}): Promise<DomainNode> {
  const dns = await startDnsServer()
  const node = await startOwnNode({
    SVC_RESOLVERS: dns.address,
    SVC_EDGE_ADDRESSES: '192.0.2.1,2001:DB8:0::1',
    SVC_EDGE_CNAME: 'edge.example.net',
    ...environment,
  })
  return {
    node,
    dns,
    async stop() {
      await node.stop()
      await dns.close()
    },
  }
}

export async function rowOf({ installation }: TestNode, id: string) {
  const [row] = await installation.store.db.select().from(domains).where(eq(domains.id, id))
  if (!row) throw new Error(`There is no domain ${id}.`)
  return row
}

/** Publishes the proof of a claim, as its owner would. */
export async function prove({ node, dns }: DomainNode, id: string): Promise<void> {
  const { domain, proof } = await rowOf(node, id)
  dns.set(`_svc.${domain}`, 'TXT', [proof])
}

/** Runs a worker's check at the node's time. Resolves to the domains that it checked. */
export async function checkAllDue({ node, dns }: DomainNode, stopping = new AbortController().signal) {
  const nowMs = () => Date.now() + node.clock.aheadMs
  const routing = { addresses: ['192.0.2.1', '2001:db8::1'], cname: 'edge.example.net' }
  const resolver = createDomainResolver({ servers: [dns.address], cname: routing.cname, nowMs, stopping })
  const lookedAt: string[] = []
  const noting = {
    lookUp(domain: string) {
      lookedAt.push(domain)
      return resolver.lookUp(domain)
    },
  }
  await checkDue({ store: node.installation.store, resolver: noting, routing, nowMs, stopping })
  return lookedAt.toSorted()
}
