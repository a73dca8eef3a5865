/** Which DNS queries a check sends, and how long it waits. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDomainResolver } from '../../../../src/platform/domains/check/resolver.ts'
import { type DnsServer, startDnsServer } from '../../../support/dns-server.ts'
import { eventually } from '../../../support/eventually.ts'
import { unique } from '../../../support/node.ts'

let dns: DnsServer

beforeAll(async () => {
  dns = await startDnsServer()
})

afterAll(() => dns.close())

afterEach(() => dns.failWith(undefined))

const newName = () => `${unique('query')}.com`

function newResolver({
  servers = [dns.address],
  cname,
  stopping = new AbortController(),
  timeLimitMs = 5_000,
}: {
  servers?: string[]
  cname?: string
  stopping?: AbortController
  timeLimitMs?: number
} = {}) {
  return createDomainResolver({ servers, cname, nowMs: () => 1, stopping: stopping.signal, timeLimitMs })
}

const queriesFor = (domain: string) => dns.queries.filter((query) => query.endsWith(domain)).toSorted()

describe('a look-up', () => {
  it('sends each query once for concurrent callers, and again for later ones', async () => {
    const domain = newName()
    const { lookUp } = newResolver({ cname: `edge.${domain}` })
    const questions = [
      ...[`A ${domain}`, `A edge.${domain}`, `AAAA ${domain}`, `AAAA edge.${domain}`],
      ...[`CNAME _svc.${domain}`, `CNAME ${domain}`, `TXT _svc.${domain}`],
    ]
    const all = await Promise.all(Array.from({ length: 20 }, () => lookUp(domain)))
    expect(new Set(all).size).toBe(1)
    expect(queriesFor(domain)).toEqual(questions.toSorted())
    await lookUp(domain)
    expect(queriesFor(domain)).toHaveLength(2 * questions.length)
  })

  it('distinguishes an empty result (no name, or no record of the type) from an unknown one', async () => {
    const domain = newName()
    dns.set(domain, 'TXT', ['a'])
    dns.failWith('SERVFAIL', domain, 'AAAA')
    const { proof, alias, addresses, lookedUpMs } = await newResolver().lookUp(domain)
    expect([proof, alias, ...addresses]).toEqual([
      { type: 'TXT', name: `_svc.${domain}`, values: [] },
      { type: 'CNAME', name: domain, values: [] },
      { type: 'A', name: domain, values: [] },
      { type: 'AAAA', name: domain, failure: 'ESERVFAIL' },
    ])
    expect(lookedUpMs).toBe(1)
  })

  it('tries the next resolver when one does not answer', async () => {
    const domain = newName()
    dns.set(domain, 'A', ['192.0.2.1'])
    const { addresses } = await newResolver({ servers: ['127.0.0.1:1', dns.address] }).lookUp(domain)
    expect(addresses[0]).toEqual({ type: 'A', name: domain, values: ['192.0.2.1'] })
  })

  it('has an unknown result when no resolver answers', async () => {
    const { proof } = await newResolver({ servers: ['127.0.0.1:1'] }).lookUp(newName())
    expect(proof).toMatchObject({ failure: 'ECONNREFUSED' })
  })

  it('ends at its time limit, with the results so far', async () => {
    const domain = newName()
    dns.failWith('hang', domain, 'A')
    dns.set(domain, 'AAAA', ['2001:db8::1'])
    const { addresses } = await newResolver({ timeLimitMs: 50 }).lookUp(domain)
    expect(addresses).toMatchObject([{ failure: 'ECANCELLED' }, { values: ['2001:db8::1'] }])
  })

  it('is cancelled when the node stops, like any later one', async () => {
    const domain = newName()
    dns.failWith('hang', domain)
    const stopping = new AbortController()
    const { lookUp } = newResolver({ stopping, timeLimitMs: 60_000 })
    const [under, way] = [lookUp(domain), lookUp(domain)]
    await eventually(() => expect(queriesFor(domain).length).toBeGreaterThan(0))
    stopping.abort()
    const refused = { status: 'rejected', reason: expect.objectContaining({ reason: 'stopping' }) }
    expect(await Promise.allSettled([under, way, lookUp(newName())])).toEqual([refused, refused, refused])
  })

  it('waits for its turn when very many are under way', async () => {
    const { lookUp } = newResolver({ timeLimitMs: 1_500 })
    const hanging = Array.from({ length: 200 }, newName)
    for (const each of hanging) dns.failWith('hang', each)
    const late = newName()
    dns.set(late, 'A', ['192.0.2.1'])
    const all = hanging.map(lookUp)
    const last = lookUp(late)
    await all[0]
    expect((await last).addresses[0]).toMatchObject({ values: ['192.0.2.1'] })
    await Promise.all(all)
  })
})
