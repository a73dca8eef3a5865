import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { registrableDomains } from '../../../src/stores/db/schema/domains.ts'
import { records } from '../../../src/stores/db/schema/records.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let store: Store
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
  team = await newTeam(node)
})

afterAll(() => {
  node.clock.aheadMs = 0
})

/** A zone of its own for a test, with calls of its operations. */
async function newZone(of = team) {
  const domain = `${unique('zone')}.com`
  const id = await claim(node, of, domain)
  const path = `/v1/domains/${domain}/records`
  return {
    domain,
    id,
    path,
    create: (record: object) => of.owner('POST', path, record),
    get: (record: string) => of.owner('GET', `${path}/${record}`),
    put: (record: string, changes: object) => of.owner('PUT', `${path}/${record}`, changes),
    delete: (record: string) => of.owner('DELETE', `${path}/${record}`),
    list: async (query = '') => (await of.owner('GET', `${path}${query}`)).body.data,
  }
}

async function serialOf(domain: string): Promise<number> {
  const [row] = await store.db.select().from(registrableDomains).where(eq(registrableDomains.name, domain))
  return row?.serial ?? 0
}

const a = { name: 'www', type: 'A', value: '192.0.2.1' }

describe('POST /v1/domains/{domain}/records', () => {
  it.each<[object, object]>([
    [{ name: '@', type: 'A', value: '192.0.2.1' }, {}],
    [{ name: 'www', type: 'AAAA', value: '2001:DB8:0::1' }, { value: '2001:db8::1' }],
    [{ name: '@', type: 'ALIAS', value: 'Edge.Example.net.' }, { value: 'edge.example.net' }],
    [{ name: '@', type: 'CAA', value: '0 issue letsencrypt.org' }, { value: '0 issue "letsencrypt.org"' }],
    [{ name: '*', type: 'CNAME', value: 'edge.example.net' }, {}],
    [{ name: '@', type: 'MX', value: 'mail.example.net', priority: 10 }, {}],
    [{ name: '@', type: 'MX', value: '.', priority: 0 }, {}],
    [{ name: 'sub', type: 'NS', value: 'ns1.example.net' }, {}],
    [{ name: '_sip._tcp', type: 'SRV', value: 'sip.example.net', priority: 1, weight: 2, port: 5060 }, {}],
    [{ name: '@', type: 'HTTPS', value: '. alpn=h2 port=8443', priority: 1 }, {}],
    [{ name: 'empty', type: 'TXT', value: '' }, {}],
    [{ name: '_http._tcp', type: 'TXT', value: 'a=1b=2', strings: ['a=1', 'b=2'] }, {}],
    [{ name: 'usual', type: 'TXT', value: 'a', strings: ['a'] }, { strings: null }],
    [{ name: 'quoted', type: 'TXT', value: '"v=spf1 mx -all"' }, { value: 'v=spf1 mx -all' }],
    [
      { name: 'parts', type: 'TXT', value: '"p=A" "B"' },
      { value: 'p=AB', strings: ['p=A', 'B'] },
    ],
    [{ name: 'quotes', type: 'TXT', value: '"x"', strings: ['"x"'] }, {}],
    [
      { name: 'escaped', type: 'TXT', value: '"\\"x\\""' },
      { value: '"x"', strings: ['"x"'] },
    ],
    [{ name: '_DMARC', type: 'TXT', value: 'v=DMARC1; p="none"\n ü' }, { name: '_dmarc' }],
    [{ name: 'bücher', type: 'A', value: '192.0.2.1', ttl: 60, comment: 'books' }, { name: 'xn--bcher-kva' }],
  ])('%j is returned in canonical form, by GET and in the list too', async (sent, canonical) => {
    const zone = await newZone()
    const beforeMs = Date.now()
    const { status, body } = await zone.create(sent)
    expect(status).toBe(200)
    const { id, fqdn, created_ms, updated_ms, ...rest } = body
    expect(id).toMatch(/^rec_[0-9a-f]{32}$/)
    expect(rest).toEqual({
      domain: zone.domain,
      ttl: 300,
      strings: null,
      priority: null,
      weight: null,
      port: null,
      comment: null,
      managed: false,
      ...sent,
      ...canonical,
    })
    expect(fqdn).toBe(rest.name === '@' ? zone.domain : `${rest.name}.${zone.domain}`)
    expect(created_ms).toBeGreaterThanOrEqual(beforeMs)
    expect(updated_ms).toBe(created_ms)
    expect(await zone.get(id)).toMatchObject({ status: 200, body })
    expect(await zone.list()).toEqual([body])
    // A response may be put again.
    const { name, type, value, strings, ttl, priority, weight, port, comment } = body
    const again = await zone.put(id, { name, type, value, strings, ttl, priority, weight, port, comment })
    expect(again).toMatchObject({ status: 200, body })
  })

  it('accepts the domain in any spelling, and by id', async () => {
    const zone = await newZone()
    for (const [i, reference] of [zone.domain.toUpperCase(), `${zone.domain}.`, zone.id].entries()) {
      const { status, body } = await team.owner('POST', `/v1/domains/${reference}/records`, {
        ...a,
        value: `192.0.2.${i}`,
      })
      expect({ status, domain: body.domain }).toEqual({ status: 200, domain: zone.domain })
    }
  })

  it('accepts a full name with a trailing dot', async () => {
    const zone = await newZone()
    expect((await zone.create({ ...a, name: `www.${zone.domain}.` })).body.name).toBe('www')
    expect((await zone.create({ ...a, name: `${zone.domain}.` })).body.name).toBe('@')
  })

  it.each<[string, object, string[]]>([
    ['no name', { name: undefined }, ['name']],
    ['no type', { type: undefined }, ['type']],
    ['no value', { value: undefined }, ['value']],
    ['an unknown type', { type: 'SOA' }, ['type']],
    ['the obsolete type SPF', { type: 'SPF', value: 'v=spf1 -all' }, ['type']],
    ['a type in lower case', { type: 'a' }, ['type']],
    ['an invalid address', { value: '256.0.0.1' }, ['value']],
    ['a line break in the name', { name: 'a\nb' }, ['name']],
    ['a quote in the name', { name: 'a"b' }, ['name']],
    ['a wildcard inside', { name: 'a.*' }, ['name']],
    ['a ttl of 59', { ttl: 59 }, ['ttl']],
    ['a ttl of 86,401', { ttl: 86_401 }, ['ttl']],
    ['a ttl with a fraction', { ttl: 300.5 }, ['ttl']],
    ['a long comment', { comment: 'x'.repeat(501) }, ['comment']],
    ['a number that the type does not have', { priority: 10 }, ['priority']],
    ['an MX to an IP address without priority', { type: 'MX' }, ['priority', 'value']],
    ['a priority beyond 16 bits', { type: 'MX', value: 'a.example.net', priority: 65_536 }, ['priority']],
    ['a CNAME at the apex', { name: '@', type: 'CNAME', value: 'a.example.net' }, ['type']],
    ['strings of an A record', { strings: ['192.0.2.1'] }, ['strings']],
    ['strings of another text', { type: 'TXT', value: 'ab', strings: ['a', 'c'] }, ['strings']],
    ['no strings', { type: 'TXT', value: '', strings: [] }, ['strings']],
    [
      'a string of 256 bytes',
      { type: 'TXT', value: 'ü'.repeat(128), strings: ['ü'.repeat(128)] },
      ['strings'],
    ],
    ['a NUL in a string', { type: 'TXT', value: 'a\0b', strings: ['a\0b'] }, ['strings.0']],
    ['a NUL', { type: 'TXT', value: 'a\0b' }, ['value']],
    ['a NUL behind a backslash', { type: 'TXT', value: '"a\\000b"' }, ['value']],
    ['typographic quotes', { type: 'TXT', value: '“v=spf1 mx -all”' }, ['value']],
    ['half of a surrogate pair', { type: 'TXT', value: 'a\ud800' }, ['value']],
    ['a field that only the service sets', { managed: true }, ['managed']],
  ])('400 that names the field: %s', async (_what, fields, paths) => {
    const zone = await newZone()
    const { status, body } = await zone.create({ ...a, ...fields })
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(body.message).toContain(paths[0])
    expect(await zone.list()).toEqual([])
  })

  it.each(['nobodys.com', 'com', 'not a name', '192.0.2.1', newId('domain', 1)])(
    '404 domain_not_found for %s',
    async (reference) => {
      const path = `/v1/domains/${encodeURIComponent(reference)}/records`
      for (const [method, url, body] of [
        ['POST', path, a],
        ['GET', path],
        ['PUT', `${path}/${newId('record', 1)}`, {}],
      ] as const) {
        expect(await team.owner(method, url, body)).toMatchObject({
          status: 404,
          body: { reason: 'domain_not_found' },
        })
      }
    },
  )
})

describe('the ttl of a name and type', () => {
  it('is shared: an omitted one is copied, and a new one applies to all', async () => {
    const zone = await newZone()
    const { body: first } = await zone.create({ ...a, ttl: 600 })
    const { body: other } = await zone.create({ ...a, name: 'other' })
    const { body: text } = await zone.create({ name: 'www', type: 'TXT', value: 'text' })
    const { body: second } = await zone.create({ ...a, value: '192.0.2.2' })
    expect([other.ttl, text.ttl, second.ttl]).toEqual([300, 300, 600])

    node.clock.aheadMs += 5
    const { body: third } = await zone.create({ ...a, value: '192.0.2.3', ttl: 60 })
    const ttls = async () => (await zone.list('?name=www&type=A')).map(({ ttl }: { ttl: number }) => ttl)
    expect(await ttls()).toEqual([60, 60, 60])
    expect((await zone.get(first.id)).body.updated_ms).toBe(third.updated_ms)

    await zone.put(first.id, { ttl: 3_600 })
    expect(await ttls()).toEqual([3_600, 3_600, 3_600])
    await zone.put(second.id, { ttl: null })
    expect(await ttls()).toEqual([300, 300, 300])
    expect((await zone.get(other.id)).body).toEqual(other)
    expect((await zone.get(text.id)).body).toEqual(text)
  })

  it('is that of the new name for a record that moves there, unless the change sets its own', async () => {
    const zone = await newZone()
    await zone.create({ ...a, ttl: 60 })
    const { body: one } = await zone.create({ ...a, name: 'one', value: '192.0.2.2', ttl: 3_600 })
    const { body: two } = await zone.create({ ...a, name: 'two', value: '192.0.2.3', ttl: 3_600 })
    expect((await zone.put(one.id, { name: 'www' })).body.ttl).toBe(60)
    expect((await zone.put(two.id, { name: 'www', ttl: 900 })).body.ttl).toBe(900)
    expect((await zone.get(one.id)).body.ttl).toBe(900)
  })
})

describe('PUT /v1/domains/{domain}/records/{record}', () => {
  it('changes the named fields, and keeps the others', async () => {
    const zone = await newZone()
    const { body: made } = await zone.create({
      name: '@',
      type: 'MX',
      value: 'mail.example.net',
      priority: 10,
      ttl: 600,
      comment: 'ours',
    })
    node.clock.aheadMs += 5
    const { status, body } = await zone.put(made.id, { priority: 20 })
    expect(status).toBe(200)
    expect(body).toEqual({ ...made, priority: 20, updated_ms: body.updated_ms })
    expect(body.updated_ms).toBeGreaterThan(made.updated_ms)
    expect((await zone.put(made.id, { comment: null })).body.comment).toBeNull()
    const moved = await zone.put(made.id, { name: '*.Shop', value: 'MX.example.net.' })
    const changed = {
      name: '*.shop',
      fqdn: `*.shop.${zone.domain}`,
      value: 'mx.example.net',
      priority: 20,
      ttl: 600,
    }
    expect(moved.body).toMatchObject(changed)
    expect((await zone.get(made.id)).body).toEqual(moved.body)
    const [row] = await store.db.select().from(records).where(eq(records.id, made.id))
    expect(row?.reversed).toBe(`com.${zone.domain.split('.')[0]}.shop.*`)
  })

  it('keeps the strings of a TXT until they or the value are others', async () => {
    const zone = await newZone()
    const { body: made } = await zone.create({ name: 'a', type: 'TXT', value: 'ab', strings: ['a', 'b'] })
    const textOf = async (changes: object) => {
      const { value, strings } = (await zone.put(made.id, changes)).body
      return { value, strings }
    }
    expect(await textOf({ ttl: 60, value: 'ab' })).toEqual({ value: 'ab', strings: ['a', 'b'] })
    expect(await textOf({ strings: ['', 'ab'] })).toEqual({ value: 'ab', strings: ['', 'ab'] })
    expect(await textOf({ strings: ['c', 'd'] })).toEqual({ value: 'cd', strings: ['c', 'd'] })
    expect(await textOf({ value: 'ef' })).toEqual({ value: 'ef', strings: null })
    expect(await textOf({ value: 'gh', strings: ['g', 'h'] })).toEqual({ value: 'gh', strings: ['g', 'h'] })
    expect(await textOf({ strings: null })).toEqual({ value: 'gh', strings: null })
  })

  it('reads a new value of a TXT in quotes, and keeps quotes that are part of the text', async () => {
    const zone = await newZone()
    const { body: made } = await zone.create({ name: 'a', type: 'TXT', value: 'a' })
    const textOf = async (changes: object) => {
      const { value, strings } = (await zone.put(made.id, changes)).body
      return { value, strings }
    }
    for (const value of ['"b"', 'b']) expect(await textOf({ value })).toEqual({ value: 'b', strings: null })
    const parts = { value: 'cd', strings: ['c', 'd'] }
    for (const value of ['"c" "d"', 'cd']) expect(await textOf({ value })).toEqual(parts)
    expect(await textOf({ value: '"cd"' })).toEqual({ value: 'cd', strings: null })
    const quoted = { value: '"e"', strings: ['"e"'] }
    expect(await textOf({ strings: ['"e"'] })).toEqual(quoted)
    for (const changes of [{ ttl: 600 }, { value: '"e"' }, { value: '"e"', strings: null }, quoted]) {
      expect(await textOf(changes)).toEqual(quoted)
    }
    expect(await textOf({ value: '"f"' })).toEqual({ value: 'f', strings: null })
  })

  it('clears the strings of a TXT, too, if a node of the version before replaces the value', async () => {
    const zone = await newZone()
    const { body: made } = await zone.create({ name: 'a', type: 'TXT', value: 'ab', strings: ['a', 'b'] })
    await store.db.update(records).set({ value: 'abc' }).where(eq(records.id, made.id))
    expect((await zone.get(made.id)).body).toMatchObject({ value: 'abc', strings: null })
  })

  it('400 for another type, and for fields that the type does not have', async () => {
    const zone = await newZone()
    const { body: made } = await zone.create(a)
    for (const [changes, path] of [
      [{ type: 'AAAA', value: '2001:db8::1' }, 'type'],
      [{ value: 'www.example.net' }, 'value'],
      [{ name: 'a b' }, 'name'],
      [{ weight: 1 }, 'weight'],
      [{ value: null }, 'value'],
      [{ name: null }, 'name'],
    ] as const) {
      const { status, body } = await zone.put(made.id, changes)
      expect({ status, issues: body.issues }).toMatchObject({ status: 400, issues: [{ path }] })
    }
    expect((await zone.get(made.id)).body).toEqual(made)
  })
})

describe('DELETE /v1/domains/{domain}/records/{record}', () => {
  it('removes it: 404 from then on', async () => {
    const zone = await newZone()
    const { body: made } = await zone.create(a)
    expect(await zone.delete(made.id)).toMatchObject({ status: 200, body: { id: made.id, deleted: true } })
    for (const answer of [await zone.get(made.id), await zone.put(made.id, {}), await zone.delete(made.id)]) {
      expect(answer).toMatchObject({ status: 404, body: { reason: 'record_not_found' } })
    }
  })

  it('404 for the record of another zone of the team', async () => {
    const zone = await newZone()
    const { body: made } = await (await newZone()).create(a)
    for (const answer of [await zone.get(made.id), await zone.put(made.id, {}), await zone.delete(made.id)]) {
      expect(answer).toMatchObject({ status: 404, body: { reason: 'record_not_found' } })
    }
  })
})

describe('the serial of the zone', () => {
  it('rises with each change, in its transaction, and sends a notification', async () => {
    const zone = await newZone()
    const announced: string[] = []
    const unsubscribe = store.changes.subscribe({
      changed: ({ kind, id }) => kind === 'domain' && announced.push(id),
      missed: () => {},
    })
    const serials = [await serialOf(zone.domain)]
    const then = async (work: Promise<unknown>) => {
      await work
      serials.push(await serialOf(zone.domain))
    }
    const { body } = await zone.create(a)
    serials.push(await serialOf(zone.domain))
    await then(zone.put(body.id, { value: '192.0.2.2' }))
    await then(zone.delete(body.id))
    unsubscribe()
    expect(serials).toEqual([...new Set(serials)].toSorted((one, other) => one - other))
    expect(announced.filter((id) => id === zone.domain)).toHaveLength(3)
  })

  it('stays when nothing was changed', async () => {
    const zone = await newZone()
    await zone.create({ ...a, type: 'CNAME', value: 'a.example.net' })
    const before = await serialOf(zone.domain)
    expect((await zone.create(a)).status).toBe(409)
    expect((await zone.create({ ...a, value: 'nonsense' })).status).toBe(400)
    expect((await zone.put(newId('record', 1), {})).status).toBe(404)
    expect(await serialOf(zone.domain)).toBe(before)
  })
})

it("another team's record is unknown through one's own claim of its name, and stays as it is", async () => {
  const other = await newTeam(node)
  const theirs = await newZone()
  const { body: record } = await theirs.create(a)
  await claim(node, other, theirs.domain)
  const path = `${theirs.path}/${record.id}`
  const answers = [
    await other.owner('GET', path),
    await other.owner('PUT', path, { value: '192.0.2.66' }),
    await other.owner('DELETE', path),
  ]
  expect(answers.map(({ status, body }) => [status, body.reason])).toEqual(
    Array(3).fill([404, 'record_not_found']),
  )
  expect((await theirs.get(record.id)).body).toEqual(record)
})
