/** How the zones of a family are answered: RFC 1034, 2308, 4592, 8482. */
import { describe, expect, it } from 'vitest'
import { answer } from '../../../../src/roles/nameserver/answer/answer.ts'
import type { Owned } from '../../../../src/roles/nameserver/answer/reply.ts'
import { rcodes, types } from '../../../../src/roles/nameserver/wire/codes.ts'
import { familyOf, row } from '../family.ts'

const family = familyOf({ 'example.com': 'a', 'theirs.deep.example.com': 'b' }, [
  row({ fqdn: 'example.com', type: 'A', value: '192.0.2.1' }),
  row({ fqdn: 'example.com', type: 'MX', value: 'mail.example.com', priority: 10 }),
  row({ fqdn: 'example.com', type: 'MX', value: 'mail.example.net', priority: 20 }),
  row({ fqdn: 'mail.example.com', type: 'A', value: '192.0.2.2' }),
  row({ fqdn: 'mail.example.com', type: 'AAAA', value: '2001:db8::2' }),
  row({ fqdn: 'www.example.com', type: 'CNAME', value: 'example.com' }),
  row({ fqdn: 'chain.example.com', type: 'CNAME', value: 'www.example.com' }),
  row({ fqdn: 'out.example.com', type: 'CNAME', value: 'example.net' }),
  row({ fqdn: 'dangling.example.com', type: 'CNAME', value: 'nothing.example.com' }),
  row({ fqdn: 'one.example.com', type: 'CNAME', value: 'two.example.com' }),
  row({ fqdn: 'two.example.com', type: 'CNAME', value: 'one.example.com' }),
  row({ fqdn: 'to-theirs.example.com', type: 'CNAME', value: 'theirs.deep.example.com' }),
  row({ fqdn: 'to-sub.example.com', type: 'CNAME', value: 'host.sub.example.com' }),
  row({ fqdn: '*.wild.example.com', type: 'TXT', value: 'wild' }),
  row({ fqdn: '*.wild.example.com', type: 'A', value: '192.0.2.3' }),
  row({ fqdn: 'a.b.wild.example.com', type: 'A', value: '192.0.2.4' }),
  row({ fqdn: '*.cwild.example.com', type: 'CNAME', value: 'example.com' }),
  row({ fqdn: 'a.empty.example.com', type: 'A', value: '192.0.2.5' }),
  row({ fqdn: 'sub.example.com', type: 'NS', value: 'ns.sub.example.com' }),
  row({ fqdn: 'sub.example.com', type: 'NS', value: 'ns.example.net' }),
  row({ fqdn: 'ns.sub.example.com', type: 'A', value: '192.0.2.6' }),
  row({
    fqdn: '_sip._tcp.example.com',
    type: 'SRV',
    value: 'mail.example.com',
    priority: 1,
    weight: 2,
    port: 3,
  }),
  row({ fqdn: '_dns.example.com', type: 'SVCB', value: 'mail.example.com alpn=dot', priority: 1 }),
  row({ fqdn: 'mail.example.com', type: 'HTTPS', value: '. alpn=h2', priority: 1 }),
  row({ fqdn: 'signed.example.com', type: 'NS', value: 'ns.example.net' }),
  row({ fqdn: 'signed.example.com', type: 'DS', value: '1 13 9 ab' }),
  row({ fqdn: 'alias.example.com', type: 'ALIAS', value: 'edge.example.net', ttl: 60 }),
  row({ fqdn: 'alias.example.com', type: 'MX', value: 'mail.example.com', priority: 1 }),
  row({ fqdn: 'to-alias.example.com', type: 'CNAME', value: 'alias.example.com' }),
  // Team b has its own zone at its name; team a's records there aren't served, nor team b's elsewhere.
  row({ fqdn: 'theirs.deep.example.com', type: 'TXT', value: 'of a' }),
  row({ fqdn: 'theirs.deep.example.com', type: 'TXT', value: 'of b', teamId: 'b' }),
  row({ fqdn: 'example.com', type: 'TXT', value: 'of b', teamId: 'b' }),
])

const resolve = (name: string, type: keyof typeof types) => answer(family, name, types[type])

/** One line per record: `name type values`. */
const lines = (sets: Owned[]) =>
  sets.map(({ name, set }) => {
    const type = Object.entries(types).find(([, number]) => number === set.type)?.[0]
    return `${name} ${type} ${set.values.map(({ value }) => value).join(', ')}`
  })

const soa = 'example.com SOA ns1.svc.test hostmaster.example.com 7 3600 600 604800 300'

describe('an existing name', () => {
  it('returns its records, with authority', () => {
    const reply = resolve('example.com', 'A')
    expect(reply).toMatchObject({ rcode: rcodes.noError, isAuthoritative: true, isReferral: false })
    expect(lines(reply.answer)).toEqual(['example.com A 192.0.2.1'])
    expect(reply.authority).toEqual([])
  })

  it('returns no data and the SOA for missing types, with the negative TTL', () => {
    const reply = resolve('example.com', 'AAAA')
    expect(reply.rcode).toBe(rcodes.noError)
    expect(lines(reply.answer)).toEqual([])
    expect(lines(reply.authority)).toEqual([soa])
    expect(reply.authority[0]?.set.ttl).toBe(300)
  })

  it('returns SOA and NS at the apex', () => {
    expect(lines(resolve('example.com', 'SOA').answer)).toEqual([soa])
    expect(resolve('example.com', 'SOA').answer[0]?.set.ttl).toBe(3_600)
    expect(lines(resolve('example.com', 'NS').answer)).toEqual(['example.com NS ns1.svc.test, ns2.svc.test'])
  })

  it('adds the zone’s addresses of the hosts in MX and SRV', () => {
    const addresses = ['mail.example.com A 192.0.2.2', 'mail.example.com AAAA 2001:db8::2']
    expect(lines(resolve('example.com', 'MX').additional)).toEqual(addresses)
    expect(lines(resolve('_sip._tcp.example.com', 'SRV').additional)).toEqual(addresses)
    expect(lines(resolve('_dns.example.com', 'SVCB').additional)).toEqual(addresses)
    expect(resolve('mail.example.com', 'HTTPS').additional).toEqual([])
  })

  it('returns one short record for ANY', () => {
    expect(lines(resolve('example.com', 'ANY').answer)).toEqual(['example.com HINFO RFC8482'])
    expect(lines(resolve('www.example.com', 'ANY').answer)).toEqual(['www.example.com CNAME example.com'])
    expect(resolve('nothing.example.com', 'ANY').rcode).toBe(rcodes.nxDomain)
    expect(lines(resolve('empty.example.com', 'ANY').authority)).toEqual([soa])
  })

  it('returns an ALIAS as a record of no type', () => {
    for (let type = 0; type <= 65_535; type += 1) {
      const { answer: found } = answer(family, 'alias.example.com', type)
      if (found.length > 0) expect([types.MX, types.ANY]).toContain(type)
    }
  })
})

describe('a missing name', () => {
  it('is NXDOMAIN with the SOA', () => {
    const reply = resolve('nothing.example.com', 'A')
    expect(reply).toMatchObject({ rcode: rcodes.nxDomain, isAuthoritative: true })
    expect(lines(reply.authority)).toEqual([soa])
    expect(reply.isOfName).toBe(false)
  })

  it('is no data if there are names below it', () => {
    expect(resolve('empty.example.com', 'A').rcode).toBe(rcodes.noError)
    expect(resolve('_tcp.example.com', 'A').rcode).toBe(rcodes.noError)
    expect(resolve('other.empty.example.com', 'A').rcode).toBe(rcodes.nxDomain)
  })

  it('is refused if no verified name is at or above it', () => {
    const other = familyOf({ 'shop.example.com': 'a' }, [])
    for (const name of ['example.com', 'www.example.com', 'xshop.example.com', 'example.net', '']) {
      expect(answer(other, name, types.A)).toMatchObject({ rcode: rcodes.refused, isAuthoritative: false })
    }
    expect(answer(other, 'shop.example.com', types.SOA).rcode).toBe(rcodes.noError)
  })
})

describe('CNAME', () => {
  it('is followed within the zone', () => {
    const reply = resolve('chain.example.com', 'A')
    expect(lines(reply.answer)).toEqual([
      'chain.example.com CNAME www.example.com',
      'www.example.com CNAME example.com',
      'example.com A 192.0.2.1',
    ])
    expect(lines(resolve('out.example.com', 'A').answer)).toEqual(['out.example.com CNAME example.net'])
    expect(lines(resolve('to-theirs.example.com', 'TXT').answer)).toEqual([
      'to-theirs.example.com CNAME theirs.deep.example.com',
    ])
  })

  it('is returned itself when it is queried', () => {
    expect(lines(resolve('chain.example.com', 'CNAME').answer)).toEqual([
      'chain.example.com CNAME www.example.com',
    ])
  })

  it('reports that its target is missing, or lacks the type (RFC 2308, section 2.1)', () => {
    const dangling = resolve('dangling.example.com', 'A')
    expect(dangling.rcode).toBe(rcodes.nxDomain)
    expect(lines(dangling.answer)).toEqual(['dangling.example.com CNAME nothing.example.com'])
    expect(lines(dangling.authority)).toEqual([soa])
    const without = resolve('www.example.com', 'AAAA')
    expect(without.rcode).toBe(rcodes.noError)
    expect(lines(without.authority)).toEqual([soa])
  })

  it('is followed once around a loop', () => {
    expect(lines(resolve('one.example.com', 'A').answer)).toEqual([
      'one.example.com CNAME two.example.com',
      'two.example.com CNAME one.example.com',
    ])
  })

  it('is followed for a limited number of steps', () => {
    const rows = Array.from({ length: 100 }, (_, index) =>
      row({ fqdn: `c${index}.example.com`, type: 'CNAME', value: `c${index + 1}.example.com` }),
    )
    const long = familyOf({ 'example.com': 'a' }, rows)
    expect(answer(long, 'c0.example.com', types.A).answer).toHaveLength(16)
  })

  it('may lead to a delegation', () => {
    const reply = resolve('to-sub.example.com', 'A')
    expect(reply.isAuthoritative).toBe(true)
    expect(lines(reply.answer)).toEqual(['to-sub.example.com CNAME host.sub.example.com'])
    expect(lines(reply.authority)).toEqual(['sub.example.com NS ns.sub.example.com, ns.example.net'])
  })
})

describe('a wildcard', () => {
  it('matches missing names, and is answered under the queried name', () => {
    expect(lines(resolve('any.wild.example.com', 'A').answer)).toEqual(['any.wild.example.com A 192.0.2.3'])
    expect(lines(resolve('x.y.wild.example.com', 'TXT').answer)).toEqual(['x.y.wild.example.com TXT wild'])
    expect(resolve('any.wild.example.com', 'A').isOfName).toBe(false)
  })

  it('returns no data for missing types', () => {
    const reply = resolve('any.wild.example.com', 'AAAA')
    expect(reply.rcode).toBe(rcodes.noError)
    expect(lines(reply.authority)).toEqual([soa])
  })

  it('does not match existing names, nor names below those', () => {
    expect(resolve('b.wild.example.com', 'TXT').answer).toEqual([])
    expect(resolve('b.wild.example.com', 'TXT').rcode).toBe(rcodes.noError)
    expect(resolve('other.b.wild.example.com', 'TXT').rcode).toBe(rcodes.nxDomain)
    expect(resolve('x.a.b.wild.example.com', 'TXT').rcode).toBe(rcodes.nxDomain)
    expect(resolve('wild.example.com', 'TXT').answer).toEqual([])
  })

  it('is an ordinary name when it is queried, which matches nothing below it', () => {
    expect(lines(resolve('*.wild.example.com', 'A').answer)).toEqual(['*.wild.example.com A 192.0.2.3'])
    expect(resolve('x.*.wild.example.com', 'A').rcode).toBe(rcodes.nxDomain)
  })

  it('may be a CNAME', () => {
    expect(lines(resolve('x.cwild.example.com', 'A').answer)).toEqual([
      'x.cwild.example.com CNAME example.com',
      'example.com A 192.0.2.1',
    ])
  })
})

describe('a delegation', () => {
  const referral = {
    rcode: rcodes.noError,
    isAuthoritative: false,
    isReferral: true,
    answer: [],
  }

  it('refers all names at and below it, with glue', () => {
    for (const name of [
      'sub.example.com',
      'x.sub.example.com',
      'ns.sub.example.com',
      'a.b.sub.example.com',
    ]) {
      const reply = resolve(name, 'A')
      expect(reply).toMatchObject(referral)
      expect(lines(reply.authority)).toEqual(['sub.example.com NS ns.sub.example.com, ns.example.net'])
      expect(lines(reply.additional)).toEqual(['ns.sub.example.com A 192.0.2.6'])
    }
    expect(resolve('sub.example.com', 'NS')).toMatchObject(referral)
  })

  it('has no DS by itself: nothing is signed', () => {
    const reply = resolve('sub.example.com', 'DS')
    expect(reply).toMatchObject({ isAuthoritative: true, isReferral: false, answer: [] })
    expect(lines(reply.authority)).toEqual([soa])
    expect(resolve('x.sub.example.com', 'DS')).toMatchObject(referral)
  })

  it('has the DS that were put there, which belong to the zone above the cut', () => {
    const reply = resolve('signed.example.com', 'DS')
    expect(reply).toMatchObject({ isAuthoritative: true, isReferral: false, authority: [] })
    expect(lines(reply.answer)).toEqual(['signed.example.com DS 1 13 9 ab'])
    // As of other unsigned zones, referrals come without them.
    expect(lines(resolve('x.signed.example.com', 'A').authority)).toEqual([
      'signed.example.com NS ns.example.net',
    ])
  })

  it('to another team’s zone has its DS response from the parent zone, else from its own', () => {
    const nothing = { rcode: rcodes.noError, isAuthoritative: true, isReferral: false, answer: [] }
    const reply = resolve('theirs.deep.example.com', 'DS')
    expect(reply).toMatchObject(nothing)
    expect(lines(reply.authority)).toEqual([soa])
    expect(lines(resolve('theirs.deep.example.com', 'AAAA').authority)).toEqual([
      soa.replaceAll(/(^|\.)example\.com/g, '$1theirs.deep.example.com'),
    ])
    expect(resolve('example.com', 'DS')).toMatchObject(nothing)
    expect(lines(resolve('example.com', 'DS').authority)).toEqual([soa])
    const alone = familyOf({ 'theirs.deep.example.com': 'b' }, [])
    expect(answer(alone, 'theirs.deep.example.com', types.DS)).toMatchObject(nothing)
    expect(answer(alone, 'x.theirs.deep.example.com', types.DS).rcode).toBe(rcodes.nxDomain)
  })
})

describe('ALIAS', () => {
  it('has its target’s addresses looked up', () => {
    const alias = { target: 'edge.example.net', ttl: 60 }
    expect(resolve('alias.example.com', 'A').alias).toEqual({
      name: 'alias.example.com',
      type: types.A,
      ...alias,
    })
    expect(resolve('to-alias.example.com', 'AAAA').alias).toMatchObject({
      name: 'alias.example.com',
      ...alias,
    })
  })

  it('does not affect other types', () => {
    expect(resolve('alias.example.com', 'MX')).toMatchObject({ alias: undefined, answer: [{}] })
    expect(resolve('alias.example.com', 'TXT')).toMatchObject({ alias: undefined, answer: [] })
  })
})

describe('a zone of another team below', () => {
  it('is answered from its own records only', () => {
    expect(lines(resolve('theirs.deep.example.com', 'TXT').answer)).toEqual([
      'theirs.deep.example.com TXT of b',
    ])
    expect(resolve('theirs.deep.example.com', 'SOA').answer[0]?.name).toBe('theirs.deep.example.com')
    expect(lines(resolve('example.com', 'TXT').answer)).toEqual([])
  })

  it('makes no name above it missing', () => {
    expect(resolve('deep.example.com', 'A').rcode).toBe(rcodes.noError)
    expect(resolve('other.deep.example.com', 'A').rcode).toBe(rcodes.nxDomain)
  })

  it('is part of the parent zone if it belongs to the same team', () => {
    const same = familyOf(
      { 'example.com': 'a', 'b.example.com': 'a', 'c.b.example.com': 'b', 'd.c.b.example.com': 'a' },
      [],
    )
    const apex = (name: string) => answer(same, name, types.AAAA).authority[0]?.name
    expect(apex('x.b.example.com')).toBe('example.com')
    expect(apex('x.c.b.example.com')).toBe('c.b.example.com')
    expect(apex('x.d.c.b.example.com')).toBe('d.c.b.example.com')
  })
})

it('records of one name and type are one set, without duplicates, with the lowest TTL', () => {
  const twice = familyOf({ 'example.com': 'a' }, [
    row({ fqdn: 'example.com', type: 'TXT', value: 'x', ttl: 600 }),
    row({ fqdn: 'example.com', type: 'TXT', value: 'x', ttl: 300 }),
    row({ fqdn: 'example.com', type: 'TXT', value: 'y', ttl: 60 }),
  ])
  const [first] = answer(twice, 'example.com', types.TXT).answer
  expect(first?.set.values.map(({ value }) => value)).toEqual(['x', 'y'])
  expect(first?.set.ttl).toBe(60)
})
