/** What is asked of resolvers, and for how long. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDomainResolver } from '../../../src/domains/check/resolver.ts'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
import { unique } from '../../support/node.ts'

let dns: DnsServer

beforeAll(async () => {
  dns = await startDnsServer()
})

afterAll(() => dns.close())

afterEach(() => dns.failWith(undefined))

const newName = () => `${unique('asked')}.com`

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

const askedAbout = (domain: string) => dns.asked.filter((asked) => asked.endsWith(domain)).toSorted()

describe('a look-up', () => {
  it('asks each question once, also for those who call at the same time, and anew for who calls later', async () => {
    const domain = newName()
    const { lookUp } = newResolver({ cname: `edge.${domain}` })
    const questions = [
      ...[`A ${domain}`, `A edge.${domain}`, `AAAA ${domain}`, `AAAA edge.${domain}`],
      ...[`CNAME _svc.${domain}`, `CNAME ${domain}`, `TXT _svc.${domain}`],
    ]
    const all = await Promise.all(Array.from({ length: 20 }, () => lookUp(domain)))
    expect(new Set(all).size).toBe(1)
    expect(askedAbout(domain)).toEqual(questions.toSorted())
    await lookUp(domain)
    expect(askedAbout(domain)).toHaveLength(2 * questions.length)
  })

  it('tells nothing there (no name, or nothing of the type) from nothing known', async () => {
    const domain = newName()
    dns.set(domain, 'TXT', ['a'])
    dns.failWith('SERVFAIL', domain, 'AAAA')
    const { proof, alias, addresses, askedMs } = await newResolver().lookUp(domain)
    expect([proof, alias, ...addresses]).toEqual([
      { type: 'TXT', name: `_svc.${domain}`, values: [] },
      { type: 'CNAME', name: domain, values: [] },
      { type: 'A', name: domain, values: [] },
      { type: 'AAAA', name: domain, failure: 'ESERVFAIL' },
    ])
    expect(askedMs).toBe(1)
  })

  it('goes on to the next resolver where one does not answer', async () => {
    const domain = newName()
    dns.set(domain, 'A', ['192.0.2.1'])
    const { addresses } = await newResolver({ servers: ['127.0.0.1:1', dns.address] }).lookUp(domain)
    expect(addresses[0]).toEqual({ type: 'A', name: domain, values: ['192.0.2.1'] })
  })

  it('knows nothing where nobody listens', async () => {
    const { proof } = await newResolver({ servers: ['127.0.0.1:1'] }).lookUp(newName())
    expect(proof).toMatchObject({ failure: 'ECONNREFUSED' })
  })

  it('ends at its time limit, with what is known by then', async () => {
    const domain = newName()
    dns.failWith('hang', domain, 'A')
    dns.set(domain, 'AAAA', ['2001:db8::1'])
    const { addresses } = await newResolver({ timeLimitMs: 50 }).lookUp(domain)
    expect(addresses).toMatchObject([{ failure: 'ECANCELLED' }, { values: ['2001:db8::1'] }])
  })

  it('is cancelled when the node stops, as are those that come after', async () => {
    const domain = newName()
    dns.failWith('hang', domain)
    const stopping = new AbortController()
    const { lookUp } = newResolver({ stopping, timeLimitMs: 60_000 })
    const [under, way] = [lookUp(domain), lookUp(domain)]
    await vi.waitFor(() => expect(askedAbout(domain).length).toBeGreaterThan(0))
    stopping.abort()
    const refused = { status: 'rejected', reason: expect.objectContaining({ reason: 'stopping' }) }
    expect(await Promise.allSettled([under, way, lookUp(newName())])).toEqual([refused, refused, refused])
  })

  it('waits for its turn where very many are under way', async () => {
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
