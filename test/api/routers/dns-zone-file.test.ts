/** What a client gets that exports a zone, or imports one. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type RouterInputs } from '../../../src/api/client/index.ts'
import { registrableDomains } from '../../../src/stores/db/schema/domains.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let domain: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  domain = `${unique('zone')}.com`
  await claim(node, team, domain)
})

type NewRecord = Omit<RouterInputs['dns']['create'], 'domain'>

const apiOf = ({ ownerKey }: TestTeam) => createClient({ url: node.apiUrl, token: ownerKey })
const added = (record: NewRecord) => apiOf(team).dns.create.mutate({ domain, ...record })
const listed = async () => (await apiOf(team).dns.list.query({ domain, limit: 100 })).data
const exported = () => apiOf(team).dns.exportZone.query({ domain })
const imported = (zone: string, options: { dry_run?: boolean; skip?: boolean } = {}) =>
  apiOf(team).dns.importZone.mutate({ domain, zone, ...options })

/** The records, one per line. */
const lines = async () =>
  (await listed())
    .map(({ name, ttl, type, priority, value }) => [name, ttl, type, priority ?? '', value].join(' '))
    .sort()

async function serial(): Promise<number | undefined> {
  const { db } = node.installation.store
  const [row] = await db.select().from(registrableDomains).where(eq(registrableDomains.name, domain))
  return row?.serial
}

const everyType: NewRecord[] = [
  { name: '@', type: 'A', value: '192.0.2.1', ttl: 60 },
  { name: '@', type: 'AAAA', value: '2001:db8::1' },
  { name: 'shop', type: 'ALIAS', value: 'shops.example.net', comment: 'the other site' },
  { name: '@', type: 'CAA', value: '0 issue "ca.example.net"' },
  { name: '*', type: 'CNAME', value: 'www.example.org' },
  { name: '@', type: 'MX', value: 'mail.example.net', priority: 10, ttl: 86_400 },
  { name: 'eu', type: 'NS', value: 'ns.example.org' },
  { name: '_sip._tcp', type: 'SRV', value: 'sip.example.net', priority: 1, weight: 2, port: 5060 },
  { name: 'eu', type: 'DS', value: `60485 13 2 ${'d4b7'.repeat(16)}` },
  { name: '@', type: 'HTTPS', value: '. alpn=h2,h3 key667="a b"', priority: 1 },
  { name: 'dns', type: 'SVCB', value: 'dns.example.net', priority: 0 },
  { name: '_443._tcp', type: 'TLSA', value: '3 1 1 0d6fce3d' },
  { name: 'ssh', type: 'SSHFP', value: '4 2 0123456789abcdef' },
  { name: 'naptr', type: 'NAPTR', value: '100 10 "u" "E2U+sip" "!^.*$!sip:a@example.net!" .' },
  { name: 'ptr', type: 'PTR', value: 'host.example.net' },
  { name: 'loc', type: 'LOC', value: '52 22 23 N 4 53 32 E -2m' },
  { name: 'empty', type: 'TXT', value: '' },
  { name: '_http._tcp', type: 'TXT', value: 'a=1b=ü', strings: ['a=1', 'b=ü'] },
  { name: 'quotes', type: 'TXT', value: '"in quotes"', strings: ['"in quotes"'] },
  { name: 'k._domainkey', type: 'TXT', value: `"quoted" \\ ä; ${'x'.repeat(600)}` },
]

describe('an export', () => {
  it('starts with what servers need, and ends with the records', async () => {
    await added({ name: 'www', type: 'A', value: '192.0.2.1', comment: 'our own' })
    const { zone, ...rest } = await exported()
    expect(rest).toEqual({ domain, serial: await serial() })
    expect(zone.split('\n')).toEqual([
      `$ORIGIN ${domain}.`,
      '$TTL 300',
      `@\t3600\tIN\tSOA\tns1.localhost. hostmaster.${domain}. ${rest.serial} 3600 600 604800 300`,
      '@\t3600\tIN\tNS\tns1.localhost.',
      'www\t300\tIN\tA\t192.0.2.1 ; our own',
      '',
    ])
  })

  it('changes nothing when it is imported again', async () => {
    for (const record of everyType) await added(record)
    const before = await listed()
    const { zone } = await exported()
    const unchanged = { added: [], removed: [], changed: [], unchanged: everyType.length, adjusted: [] }
    const serialBefore = await serial()
    expect(await imported(zone)).toMatchObject({ ...unchanged, applied: true })
    expect(await listed()).toEqual(before)
    expect(await serial()).toBe(serialBefore)
    expect((await exported()).zone).toBe(zone)
  })

  it('creates the same zone elsewhere, with comments', async () => {
    for (const record of everyType) await added(record)
    const { zone } = await exported()
    const other = await newTeam(node)
    const copy = `${unique('copy')}.com`
    await claim(node, other, copy)
    const moved = zone.replaceAll(domain, copy)
    expect((await apiOf(other).dns.importZone.mutate({ domain: copy, zone: moved })).added).toHaveLength(
      everyType.length,
    )
    const again = await apiOf(other).dns.exportZone.query({ domain: copy })
    const records = (text: string) => text.split('\n').slice(4)
    expect(records(again.zone)).toEqual(records(moved))
  })

  it('marks the service’s records, which an import ignores', async () => {
    const proven = `${unique('proven')}.com`
    await claim(node, team, proven, { proven: true, redirect: { to: 'example.org', status: 308 } })
    const { zone } = await apiOf(team).dns.exportZone.query({ domain: proven })
    const managed = zone.split('\n').filter((line) => line.endsWith(' ; managed'))
    expect(managed).toEqual([
      '@\t300\tIN\tA\t127.0.0.1 ; managed',
      expect.stringMatching(/^_svc\t300\tIN\tTXT\t"svc-verify=[\w-]{43}" ; managed$/),
    ])
    const answer = await apiOf(team).dns.importZone.mutate({ domain: proven, zone })
    expect(answer).toMatchObject({ added: [], removed: [], unchanged: 0 })
    expect(answer.skipped.map(({ message }) => message)).toEqual([
      `SOA of ${proven}: the service has its own`,
      `NS of ${proven}: the service has its own`,
      `${proven} A: this record is managed`,
      `_svc.${proven} TXT: this record is managed`,
    ])
  })

  it('is of the zone that a name below belongs to', async () => {
    await claim(node, team, `shop.${domain}`)
    await added({ name: 'www', type: 'TXT', value: 'x' })
    const below = await apiOf(team).dns.exportZone.query({ domain: `shop.${domain}` })
    expect(below).toEqual(await exported())
  })
})

describe('an import', () => {
  const zone = `$TTL 3600
@     IN MX 10 mail
      IN MX 20 mail.example.net.
mail     A   192.0.2.1
www   30 CNAME @
old      TXT "kept" ; a comment
`

  it('makes the records those of the file, and returns the changes', async () => {
    const kept = await added({ name: 'old', type: 'TXT', value: 'kept', ttl: 300, comment: 'my own' })
    await added({ name: 'gone', type: 'A', value: '192.0.2.9' })
    await added({ name: 'mail', type: 'A', value: '192.0.2.1', ttl: 3_600 })
    const numbers = { strings: null, priority: null, weight: null, port: null }
    expect(await imported(zone)).toEqual({
      domain,
      added: [
        { ...numbers, name: '@', type: 'MX', value: `mail.${domain}`, ttl: 3_600, priority: 10 },
        { ...numbers, name: '@', type: 'MX', value: 'mail.example.net', ttl: 3_600, priority: 20 },
        { ...numbers, name: 'www', type: 'CNAME', value: domain, ttl: 60 },
      ],
      removed: [{ ...numbers, name: 'gone', type: 'A', value: '192.0.2.9', ttl: 300 }],
      changed: [{ ...numbers, name: 'old', type: 'TXT', value: 'kept', ttl: 3_600, old_ttl: 300 }],
      unchanged: 1,
      skipped: [],
      adjusted: [{ line: 5, message: `www.${domain} CNAME: the TTL 30 becomes 60` }],
      applied: true,
    })
    expect(await lines()).toEqual([
      `@ 3600 MX 10 mail.${domain}`,
      '@ 3600 MX 20 mail.example.net',
      'mail 3600 A  192.0.2.1',
      'old 3600 TXT  kept',
      `www 60 CNAME  ${domain}`,
    ])
    const now = await apiOf(team).dns.get.query({ domain, record: kept.id })
    expect(now).toEqual({ ...kept, ttl: 3_600, updated_ms: expect.any(Number) })
    expect((await listed()).find(({ name }) => name === 'www')?.id).toMatch(/^rec_[0-9a-f]{32}$/)
  })

  it('keeps the strings of a TXT, also an empty one, or says that it joins them', async () => {
    const file = 'a TXT "x=1" "y=2"\nb TXT ""\nc TXT "" "z"\nd TXT "\\195" "\\188"\n'
    const done = await imported(file)
    expect(done.added.map(({ name, value, strings }) => [name, value, strings])).toEqual([
      ['a', 'x=1y=2', ['x=1', 'y=2']],
      ['b', '', null],
      ['c', 'z', ['', 'z']],
      ['d', 'ü', null],
    ])
    expect(done.adjusted).toEqual([
      { line: 4, message: expect.stringContaining(`d.${domain} TXT: its strings are joined`) },
    ])
    const { zone: text } = await exported()
    expect(text.split('\n').filter((line) => line.includes('TXT'))).toEqual([
      'a\t300\tIN\tTXT\t"x=1" "y=2"',
      'b\t300\tIN\tTXT\t""',
      'c\t300\tIN\tTXT\t"" "z"',
      'd\t300\tIN\tTXT\t"\\195\\188"',
    ])
    expect(await imported(text)).toMatchObject({ added: [], removed: [], unchanged: 4, adjusted: [] })
    // Other boundaries make another record.
    expect(await imported(text.replace('"x=1" "y=2"', '"x=" "1y=2"'))).toMatchObject({
      added: [{ strings: ['x=', '1y=2'] }],
      removed: [{ strings: ['x=1', 'y=2'] }],
    })
  })

  it('keeps quotes that are part of a text, and returns them as such', async () => {
    const file = 'a TXT "\\"v=spf1 -all\\""\n'
    const quoted = { name: 'a', value: '"v=spf1 -all"', strings: ['"v=spf1 -all"'] }
    expect(await imported(file)).toMatchObject({ added: [quoted] })
    expect(await listed()).toMatchObject([quoted])
    expect(await imported((await exported()).zone)).toMatchObject({ added: [], removed: [], unchanged: 1 })
    const { problem } = await apiOf(team).dns.check.query({ domain, type: 'TXT', ...quoted })
    expect(problem).toMatchObject({ reason: 'record_conflict' })
  })

  it('400 for a text with a NUL', async () => {
    const body = await imported('\na TXT "b\\000"\n').catch((error) => error.data)
    expect(body.message).toBe(`zone: line 2: a.${domain} TXT: value must not contain U+0000`)
  })

  it('raises the serial', async () => {
    const before = await serial()
    await imported(zone)
    expect(await serial()).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY)
  })

  it('only returns the changes in a dry run', async () => {
    await added({ name: 'gone', type: 'A', value: '192.0.2.9' })
    const before = { records: await listed(), serial: await serial() }
    const dry = await imported(zone, { dry_run: true })
    expect(dry.applied).toBe(false)
    expect({ records: await listed(), serial: await serial() }).toEqual(before)
    expect(await imported(zone)).toEqual({ ...dry, applied: true })
  })

  it('is all or nothing, and reports every invalid line', async () => {
    await added({ name: 'here', type: 'A', value: '192.0.2.9' })
    const before = await listed()
    const wrong = `${zone}a A 300.1.2.3\nb DNAME x\nmail CNAME x.example.net.\n`
    const body = await imported(wrong).catch((error) => error.data)
    expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: 'invalid_input' })
    expect(body.message).toBe(`zone: ${body.issues[0].message}`)
    expect(body.issues).toEqual([
      { path: 'zone', message: expect.stringMatching(/^line 7: a\..* A: value must be an IPv4 address/) },
      { path: 'zone', message: expect.stringMatching(/^line 8: DNAME records can't be kept/) },
    ])
    expect(await listed()).toEqual(before)
  })

  it('leaves out the lines that it can’t take if it is to, each named', async () => {
    const wrong = `${zone}a A 300.1.2.3\nb DNAME x\nmail CNAME x.example.net.\n`
    const dry = await imported(wrong, { skip: true, dry_run: true })
    expect(await listed()).toEqual([])
    const done = await imported(wrong, { skip: true })
    expect(done).toEqual({ ...dry, applied: true })
    expect(done.skipped).toEqual([
      { line: 7, message: expect.stringMatching(/^a\..* A: value must be an IPv4 address/) },
      { line: 8, message: expect.stringMatching(/^DNAME records can't be kept/) },
      { line: 9, message: expect.stringMatching(/^A CNAME stands alone/) },
    ])
    expect(await imported(zone)).toMatchObject({ added: [], removed: [], changed: [], unchanged: 5 })
  })

  it('accepts a whole zone of ten thousand records, and no more', { tags: 'long' }, async () => {
    domain = `${unique('large')}.com`
    await claim(node, team, domain, { proven: true })
    const records = (count: number) =>
      Array.from({ length: count }, (_, index) => `h${index} A 192.0.2.${index % 250}\n`).join('')
    expect((await imported(records(10_000))).added).toHaveLength(10_000)
    expect(await imported(records(10_000))).toMatchObject({ added: [], removed: [], unchanged: 10_000 })
    const body = await imported(records(10_001)).catch((error) => error.data)
    expect(body).toMatchObject({ reason: 'invalid_input', message: expect.stringContaining('line 10001') })
    expect((await imported('')).removed).toHaveLength(10_000)
  })

  it('ignores names outside of the zone', async () => {
    const other = `${unique('other')}.com`
    await claim(node, team, other)
    await apiOf(team).dns.create.mutate({ domain: other, name: '@', type: 'A', value: '192.0.2.1' })
    await imported('')
    expect((await apiOf(team).dns.list.query({ domain: other })).data).toHaveLength(1)
    const body = await imported(`${other}. A 192.0.2.2`).catch((error) => error.data)
    expect(body.message).toBe(`zone: line 1: ${other} is not at or below ${domain}`)
  })

  it.each([true, false])('is 409 below another domain of the team (dry run: %s)', async (dry_run) => {
    await claim(node, team, `shop.${domain}`)
    const answer = apiOf(team).dns.importZone.mutate({ domain: `shop.${domain}`, zone: 'a TXT x', dry_run })
    expect(await answer.catch((error) => error.data)).toMatchObject({
      code: 'CONFLICT',
      reason: 'in_zone_of',
    })
  })

  it('leaves the records of one of two concurrent imports', async () => {
    const files = ['one', 'two'].map((name) => `${name} TXT "${name}"\n`)
    await Promise.all(files.map((file) => imported(file)))
    expect(['one 300 TXT  one', 'two 300 TXT  two']).toContain((await lines()).join())
  })
})
