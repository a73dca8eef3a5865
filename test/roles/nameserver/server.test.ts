/** The name server of a node, queried as resolvers do. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { decode } from 'dns-packet'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDomainName } from '../../../src/lib/names/domain-name.ts'
import { settleVerified } from '../../../src/platform/zones/claims/settle-verified.ts'
import { changeFamilies } from '../../../src/platform/zones/family.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import {
  answersOn,
  byUdp,
  dig,
  framed,
  hasDig,
  openTcp,
  query,
  queryTcp,
  queryUdp,
  rcodeOf,
} from './client.ts'
import { addRecords } from './records.ts'
import { startUpstream, type Upstream } from './upstream.ts'

let node: TestNode
let team: TestTeam
let other: TestTeam
let upstream: Upstream
let port: number
let top: string
let claimId: string

beforeAll(async () => {
  upstream = await startUpstream()
  // All nodes of a database share the target of custom domains.
  node = await startOwnNode({
    SVC_ROLES: 'dns',
    SVC_DNS_PORT: '0',
    SVC_DNS_RATE: '0',
    SVC_NAMESERVERS: 'ns1.svc.test,ns2.svc.test',
    SVC_RESOLVERS: upstream.address,
    SVC_EDGE_ADDRESSES: '192.0.2.80,2001:db8::80,10.0.0.80',
  })
  port = node.dnsPort ?? 0
  team = await newTeam(node)
  other = await newTeam(node)
  top = `${unique('served')}.com`
  claimId = await claim(node, team, top, { proven: true })
  await addRecords(node, claimId, [
    { fqdn: top, type: 'A', value: '192.0.2.1' },
    { fqdn: top, type: 'AAAA', value: '2001:db8::1' },
    { fqdn: top, type: 'MX', value: `mail.${top}`, priority: 10 },
    { fqdn: top, type: 'CAA', value: '0 issue "letsencrypt.org; validationmethods=dns-01"' },
    { fqdn: top, type: 'TXT', value: `v=${'x'.repeat(300)}ä` },
    { fqdn: `mail.${top}`, type: 'A', value: '192.0.2.2', ttl: 60 },
    { fqdn: `www.${top}`, type: 'CNAME', value: top },
    { fqdn: `*.wild.${top}`, type: 'A', value: '192.0.2.3' },
    { fqdn: `_sip._tcp.${top}`, type: 'SRV', value: `mail.${top}`, priority: 1, weight: 2, port: 5060 },
    { fqdn: `null.${top}`, type: 'MX', value: '.', priority: 0 },
    { fqdn: `sub.${top}`, type: 'NS', value: `ns.sub.${top}` },
    { fqdn: `ns.sub.${top}`, type: 'A', value: '192.0.2.4' },
    { fqdn: `alias.${top}`, type: 'ALIAS', value: 'edge.example.net' },
    ...Array.from({ length: 200 }, (_, index) => ({
      fqdn: `many.${top}`,
      type: 'A' as const,
      value: `198.51.100.${index}`,
    })),
  ])
})

afterAll(async () => {
  await node.stop()
  upstream.close()
})

/** A response as text. */
async function answered(name: string, type: string): Promise<string[]> {
  const { answers = [] } = await queryUdp(port, name, type)
  return answers.map((each) => ('data' in each ? String(each.data) : ''))
}

const rcode = async (name: string, type = 'A') => rcodeOf(await queryUdp(port, name, type))

describe.runIf(hasDig)('dig receives', () => {
  const digAll = (...args: string[]) => dig(port, '+noall', '+answer', '+authority', '+additional', ...args)
  /** The lines of a response, with one space between fields. */
  const lines = async (...args: string[]) =>
    (await digAll(...args))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'))
      .map((line) => line.replace(/\s+/g, ' '))

  it('every type', async () => {
    expect(await lines(top, 'A')).toEqual([`${top}. 300 IN A 192.0.2.1`])
    expect(await lines(top, 'AAAA')).toEqual([`${top}. 300 IN AAAA 2001:db8::1`])
    expect(await lines(top, 'MX')).toEqual([
      `${top}. 300 IN MX 10 mail.${top}.`,
      `mail.${top}. 60 IN A 192.0.2.2`,
    ])
    expect(await lines(top, 'CAA')).toEqual([
      `${top}. 300 IN CAA 0 issue "letsencrypt.org; validationmethods=dns-01"`,
    ])
    expect(await lines(top, 'TXT')).toEqual([
      `${top}. 300 IN TXT "v=${'x'.repeat(253)}" "${'x'.repeat(47)}\\195\\164"`,
    ])
    expect(await lines(`www.${top}`, 'CNAME')).toEqual([`www.${top}. 300 IN CNAME ${top}.`])
    expect(await lines(`_sip._tcp.${top}`, 'SRV')).toEqual([
      `_sip._tcp.${top}. 300 IN SRV 1 2 5060 mail.${top}.`,
      `mail.${top}. 60 IN A 192.0.2.2`,
    ])
    expect(await lines(`null.${top}`, 'MX')).toEqual([`null.${top}. 300 IN MX 0 .`])
    expect(await lines(top, 'NS')).toEqual(
      ['ns1', 'ns2'].map((name) => `${top}. 3600 IN NS ${name}.svc.test.`),
    )
    expect(await lines(top, 'ANY')).toEqual([`${top}. 3600 IN HINFO "RFC8482" ""`])
    expect((await lines(top, 'SOA'))[0]).toMatch(
      new RegExp(
        `^${top}\\. 3600 IN SOA ns1\\.svc\\.test\\. hostmaster\\.${top}\\. \\d{10} 3600 600 604800 300$`,
      ),
    )
    expect(await lines(`x.sub.${top}`, 'A')).toEqual([
      `sub.${top}. 300 IN NS ns.sub.${top}.`,
      `ns.sub.${top}. 300 IN A 192.0.2.4`,
    ])
  })

  it('no warning, for any query', async () => {
    const all = await Promise.all(
      [top, `nothing.${top}`, `x.wild.${top}`, `sub.${top}`, `many.${top}`].map((name) =>
        dig(port, name, 'A'),
      ),
    )
    for (const text of all) expect(text).not.toMatch(/warning|malformed|extra bytes|;; Got bad/i)
  })

  it('flags: authority, and never recursion', async () => {
    expect(await dig(port, top, 'A')).toContain(';; flags: qr aa;')
    expect(await dig(port, '+recurse', top, 'A')).toContain(';; flags: qr aa rd;')
    expect(await dig(port, '+recurse', 'example.org', 'A')).toContain('status: REFUSED')
    expect(await dig(port, '+recurse', 'example.org', 'A')).toContain(';; flags: qr rd;')
    expect(await dig(port, `x.sub.${top}`, 'A')).toContain(';; flags: qr;')
  })

  it('EDNS, if it is used', async () => {
    expect(await dig(port, top, 'A')).toContain('; EDNS: version: 0, flags:; udp: 1232')
    expect(await dig(port, '+dnssec', top, 'A')).toContain('; EDNS: version: 0, flags: do; udp: 1232')
    expect(await dig(port, '+noedns', top, 'A')).not.toContain('EDNS')
    expect(await dig(port, '+edns=1', '+noednsnegotiation', top, 'A')).toContain('status: BADVERS')
    expect(await dig(port, '+ednsopt=65001:00ff', '+subnet=192.0.2.0/24', top, 'A')).toContain(
      'status: NOERROR',
    )
  })

  it('responses that are too long for UDP by TCP', async () => {
    const name = `many.${top}`
    expect(await dig(port, '+ignore', name, 'A')).toMatch(/flags: qr aa tc;.*ANSWER: 0/)
    expect(await lines(name, 'A')).toHaveLength(200)
    expect(await lines('+noedns', name, 'A')).toHaveLength(200)
  })

  it('refusals for zone transfers, other classes and other operations', async () => {
    expect(await dig(port, '+tcp', top, 'AXFR')).toContain('Transfer failed')
    expect(await rcode(top, 'IXFR')).toBe('REFUSED')
    expect(await dig(port, '-c', 'CH', 'version.bind', 'TXT')).toContain('status: REFUSED')
    expect(await dig(port, '+opcode=NOTIFY', top, 'SOA')).toContain('status: NOTIMP')
    expect(await dig(port, '+opcode=UPDATE', top, 'SOA')).toContain('status: NOTIMP')
  })

  it('the name with the letter case of its query', async () => {
    const odd = [...`many.${top}`].map((each, index) => (index % 2 ? each.toUpperCase() : each)).join('')
    expect(await dig(port, '+tcp', odd, 'A')).toContain(`;${odd}.`)
    expect(await lines('+tcp', odd, 'A')).toContain(`${odd}. 300 IN A 198.51.100.0`)
  })
})

describe('the letter case of a name', () => {
  it('is returned as in the query, each time, and makes no difference', async () => {
    for (const name of [top, top.toUpperCase(), `S${top.slice(1)}`, top]) {
      const answer = await queryUdp(port, name, 'A')
      expect(answer.questions?.[0]?.name).toBe(name)
      expect(answer.answers).toMatchObject([{ data: '192.0.2.1' }])
    }
  })

  it('does no harm in unknown names', async () => {
    const packet = query(`x.${top}`, 'A')
    for (const byte of [0, 0x2e, 0x5c, 0xc4, 0xff]) {
      const odd = Buffer.from(packet)
      odd[13] = byte
      const answer = await byUdp(port, odd)
      expect(answer?.subarray(12, odd.length)).toEqual(odd.subarray(12))
      expect(rcodeOf(decode(answer ?? Buffer.alloc(0)))).toBe('NXDOMAIN')
    }
    // "wild.served…" as one label is not that name.
    const joined = Buffer.from(query(`x-wild-${top.replace('.com', '')}.com`, 'A'))
    joined[14] = 0x2e
    expect(rcodeOf(decode((await byUdp(port, joined)) ?? Buffer.alloc(0)))).toBe('REFUSED')
  })
})

describe('only verified names are served', () => {
  it('refused: unknown names, unverified claims, and public suffixes', async () => {
    const claimed = `${unique('claimed')}.com`
    const id = await claim(node, team, claimed)
    await addRecords(node, id, [{ fqdn: claimed, type: 'A', value: '192.0.2.9' }])
    expect(await rcode(claimed)).toBe('REFUSED')
    expect(await rcode(`_svc.${claimed}`, 'TXT')).toBe('REFUSED')
    for (const name of [`${unique('nobody')}.com`, 'com', 'localhost', '', '1.2.3.4']) {
      expect(await rcode(name)).toBe('REFUSED')
    }
  })

  it('refused again once the proof is lost', async () => {
    const domain = `${unique('lost')}.com`
    const id = await claim(node, team, domain, { proven: true })
    expect(await rcode(domain, 'SOA')).toBe('NOERROR')
    const name = readDomainName(domain)
    if ('problem' in name) throw new Error(name.problem)
    await node.installation.store.transact(async (tx) => {
      await changeFamilies(tx, [name.registrable], Date.now())
      await tx.update(domains).set({ provenMs: null }).where(eq(domains.id, id))
      await settleVerified(tx, [name], Date.now())
    })
    expect(await rcode(domain, 'SOA')).toBe('REFUSED')
    await node.installation.store.transact(async (tx) => {
      await changeFamilies(tx, [name.registrable], Date.now())
      await tx.update(domains).set({ provenMs: 1 }).where(eq(domains.id, id))
    })
    expect(await rcode(domain, 'SOA')).toBe('NOERROR')
    await node.installation.store.transact(async (tx) => {
      await changeFamilies(tx, [name.registrable], Date.now())
      await tx.delete(domains).where(eq(domains.id, id))
    })
    expect(await rcode(domain, 'SOA')).toBe('REFUSED')
  })

  it('with the proof, and the edge’s addresses for a redirect or a site', async () => {
    const domain = `${unique('managed')}.com`
    await claim(node, team, domain, { proven: true, redirect: { to: 'https://example.org', status: 308 } })
    expect((await answered(`_svc.${domain}`, 'TXT')).join()).toMatch(/^svc-verify=/)
    expect(await answered(domain, 'A')).toEqual(['192.0.2.80', '10.0.0.80'])
    expect(await answered(domain, 'AAAA')).toEqual(['2001:db8::80'])
  })

  it('without records that another team has verified below', async () => {
    const domain = `${unique('split')}.com`
    const above = await claim(node, team, domain, { proven: true })
    const below = await claim(node, other, `shop.${domain}`, { proven: true })
    await addRecords(node, above, [
      { fqdn: `www.shop.${domain}`, type: 'TXT', value: 'above' },
      { fqdn: `x.${domain}`, type: 'TXT', value: 'above' },
    ])
    await addRecords(node, below, [{ fqdn: `shop.${domain}`, type: 'TXT', value: 'below' }])
    expect(await rcode(`www.shop.${domain}`, 'TXT')).toBe('NXDOMAIN')
    expect(await answered(`shop.${domain}`, 'TXT')).toEqual(['below'])
    expect(await answered(`x.${domain}`, 'TXT')).toEqual(['above'])
    expect((await queryUdp(port, `www.shop.${domain}`, 'TXT')).authorities?.[0]?.name).toBe(`shop.${domain}`)
  })
})

it('a change applies to the next query', async () => {
  const name = `new.${top}`
  expect(await rcode(name)).toBe('NXDOMAIN')
  for (const value of ['192.0.2.20', '192.0.2.21']) {
    await addRecords(node, claimId, [{ fqdn: name, type: 'A', value }])
    expect(await answered(name, 'A')).toContain(value)
  }
})

it('an answer that a change overtakes while its zone is loaded is given once, but not kept', async () => {
  const name = `overtaken.${top}`
  await addRecords(node, claimId, [{ fqdn: name, type: 'A', value: '192.0.2.30' }])
  let isAnswered = false
  const first = answered(name, 'A').finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    node.installation.store.changes.publish({ kind: 'domain', id: top })
    await turn()
  }
  expect(await first).toEqual(['192.0.2.30'])
  await addRecords(node, claimId, [{ fqdn: name, type: 'A', value: '192.0.2.31' }])
  expect((await answered(name, 'A')).toSorted()).toEqual(['192.0.2.30', '192.0.2.31'])
})

it('a record that fits no message is SERVFAIL, and others are answered', async () => {
  await addRecords(node, claimId, [{ fqdn: `broken.${top}`, type: 'A', value: 'not an address' }])
  expect(await rcode(`broken.${top}`)).toBe('SERVFAIL')
  expect(await rcode(`broken.${top}`, 'TXT')).toBe('NOERROR')
  expect(await rcode(top)).toBe('NOERROR')
})

it('a response that is too long for UDP is not even written for it', async () => {
  const broken = Array.from({ length: 200 }, (_, index) => ({
    fqdn: `*.broken.${top}`,
    type: 'A' as const,
    value: `not an address ${index}`,
  }))
  await addRecords(node, claimId, broken)
  expect(await queryUdp(port, `a.broken.${top}`, 'A')).toMatchObject({
    flag_tc: true,
    flag_aa: true,
    answers: [],
  })
  expect(rcodeOf(await queryTcp(port, `a.broken.${top}`, 'A'))).toBe('SERVFAIL')
})

describe('ALIAS', () => {
  it('returns the resolvers’ addresses, with the lower of both TTLs', async () => {
    upstream.known.set('edge.example.net A', { addresses: ['203.0.113.1', '203.0.113.2'], ttl: 30 })
    const { answers } = await queryUdp(port, `alias.${top}`, 'A')
    expect(answers).toMatchObject(
      ['203.0.113.1', '203.0.113.2'].map((data) => ({ name: `alias.${top}`, type: 'A', ttl: 30, data })),
    )
    await queryUdp(port, `alias.${top}`, 'A')
    expect(upstream.queries.filter((each) => each === 'edge.example.net A')).toHaveLength(1)
  })

  it('returns no data if the target has none', async () => {
    const answer = await queryUdp(port, `alias.${top}`, 'AAAA')
    expect(rcodeOf(answer)).toBe('NOERROR')
    expect(answer).toMatchObject({ answers: [], authorities: [{ type: 'SOA' }] })
  })

  it('reveals nothing of private networks, and is not looked up for names without an owner', async () => {
    await addRecords(node, claimId, [
      { fqdn: `inside.${top}`, type: 'ALIAS', value: 'inside.example.net' },
      { fqdn: `secret.${top}`, type: 'ALIAS', value: 'postgres.corp.internal' },
    ])
    const addresses = ['169.254.169.254', '10.0.0.1', '127.0.0.1', '100.64.0.1', '10.0.0.80', '203.0.113.9']
    upstream.known.set('inside.example.net A', { addresses, ttl: 30 })
    upstream.known.set('inside.example.net AAAA', { addresses: ['fd00::1', 'fe80::1', '::1'], ttl: 30 })
    upstream.known.set('postgres.corp.internal A', { addresses: ['203.0.113.10'], ttl: 30 })
    expect(await answered(`inside.${top}`, 'A')).toEqual(['10.0.0.80', '203.0.113.9'])
    expect(await queryUdp(port, `inside.${top}`, 'AAAA')).toMatchObject({
      answers: [],
      authorities: [{ type: 'SOA' }],
    })
    expect(await answered(`secret.${top}`, 'A')).toEqual([])
    expect(upstream.queries.filter((each) => each.includes('internal'))).toEqual([])
  })

  it('is SERVFAIL when no resolver answers', async () => {
    await addRecords(node, claimId, [{ fqdn: `unknown.${top}`, type: 'ALIAS', value: 'never.example.net' }])
    upstream.isBroken = true
    expect(await rcode(`unknown.${top}`)).toBe('SERVFAIL')
    upstream.isBroken = false
  })

  it('resolves names that are served here without a query, and never loops', async () => {
    await addRecords(node, claimId, [
      { fqdn: `own.${top}`, type: 'ALIAS', value: `www.${top}` },
      { fqdn: `far.${top}`, type: 'ALIAS', value: `own.${top}` },
      { fqdn: `far.${top}`, type: 'TXT', value: 'beside' },
      { fqdn: `a.circle.${top}`, type: 'ALIAS', value: `b.circle.${top}` },
      { fqdn: `b.circle.${top}`, type: 'ALIAS', value: `a.circle.${top}` },
    ])
    expect(await answered(`far.${top}`, 'A')).toEqual(['192.0.2.1'])
    expect(await answered(`far.${top}`, 'TXT')).toEqual(['beside'])
    expect(await rcode(`a.circle.${top}`)).toBe('SERVFAIL')
    expect(upstream.queries.filter((each) => each.includes(top))).toEqual([])
  })
})

describe('by TCP', () => {
  it('many queries on one connection are answered', async () => {
    const socket = await openTcp(port)
    const packets = Array.from({ length: 300 }, (_, id) => framed(query(`x${id}.wild.${top}`, 'A', { id })))
    // In pieces that end anywhere.
    const bytes = Buffer.concat(packets)
    for (let at = 0; at < bytes.length; at += 1_001) socket.write(bytes.subarray(at, at + 1_001))
    socket.end()
    const answers = (await answersOn(socket, 300)).map((each) => decode(each))
    expect(answers.map(({ id }) => id).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 300 }, (_, id) => id),
    )
    socket.destroy()
  })

  it('a connection without a query is closed', async () => {
    for (const bytes of [
      Buffer.from([0xff, 0xff, 1, 2, 3]),
      Buffer.from([0, 0]),
      Buffer.from([0, 3, 1, 2, 3]),
    ]) {
      const socket = await openTcp(port)
      socket.write(bytes)
      expect(await answersOn(socket, 1).catch(() => [])).toEqual([])
    }
  })

  it('1,000 silent connections do not block other clients', async () => {
    const silent = await Promise.all(Array.from({ length: 1_000 }, () => openTcp(port)))
    expect(await rcode(top)).toBe('NOERROR')
    const socket = await openTcp(port)
    socket.write(framed(query(top, 'A')))
    expect(await answersOn(socket, 1)).toHaveLength(1)
    for (const each of [...silent, socket]) each.destroy()
  })
})

it('nothing received by UDP stops it', async () => {
  const answerOf = (packet: Buffer) => byUdp(port, packet, 300)
  expect(await answerOf(Buffer.alloc(0))).toBeUndefined()
  expect(await answerOf(Buffer.alloc(11, 1))).toBeUndefined()
  const response = query(top, 'A')
  response[2] = 0x80
  expect(await answerOf(response)).toBeUndefined()
  expect((await answerOf(Buffer.alloc(12)))?.readUInt8(3)).toBe(1)
  await sleep(1)
  expect(await rcode(top)).toBe('NOERROR')
})
