import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { records } from '../../../src/stores/db/schema/records.ts'
import type { Answer } from '../../support/api.ts'
import { claim } from '../../support/claims.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
  team = await newTeam(node)
})

async function newZone(options: { proven?: boolean; redirect?: { to: string; status: number } } = {}) {
  const domain = `${unique('zone')}.com`
  const id = await claim(node, team, domain, options)
  const path = `/v1/domains/${domain}/records`
  return {
    domain,
    id,
    path,
    create: (record: object) => team.owner('POST', path, record),
    put: (record: string, changes: object) => team.owner('PUT', `${path}/${record}`, changes),
    list: async () => (await team.owner('GET', `${path}?limit=100`)).body.data,
  }
}

const a = { name: 'www', type: 'A', value: '192.0.2.1' }
const cname = { name: 'www', type: 'CNAME', value: 'a.example.net' }

const conflict = { status: 409, body: { reason: 'record_conflict' } }

const outcome = ({ status, body }: Answer) => ({ status, reason: body.reason })

describe('409 record_conflict', () => {
  it('names the existing record, and keeps it', async () => {
    const zone = await newZone()
    const { body: first } = await zone.create(a)
    const answer = await zone.create(cname)
    expect(answer).toMatchObject(conflict)
    expect(answer.body.message).toBe(
      `A CNAME stands alone at its name: www.${zone.domain} has A 192.0.2.1. ` +
        `Change or delete ${first.id} first.`,
    )
    expect(await zone.create({ ...a, value: '192.0.2.1' })).toMatchObject(conflict)
    expect(await zone.list()).toEqual([first])
  })

  it('also when a record is changed into it, or moved onto it, but not with itself', async () => {
    const zone = await newZone()
    await zone.create(a)
    const { body: second } = await zone.create({ ...a, value: '192.0.2.2' })
    const { body: elsewhere } = await zone.create({ ...cname, name: 'other' })
    expect(await zone.put(second.id, { value: '192.0.2.1' })).toMatchObject(conflict)
    expect(await zone.put(elsewhere.id, { name: 'www' })).toMatchObject(conflict)
    expect(await zone.put(second.id, { value: '192.0.2.2', ttl: 60 })).toMatchObject({ status: 200 })
    expect(await zone.put(elsewhere.id, { value: 'b.example.net' })).toMatchObject({ status: 200 })
  })

  it('is for DS where no NS records are', async () => {
    const zone = await newZone()
    const ds = { name: 'sub', type: 'DS', value: `60485 13 2 ${'ab'.repeat(32)}` }
    const answer = await zone.create(ds)
    expect(answer).toMatchObject(conflict)
    expect(answer.body.message).toBe(
      `sub.${zone.domain} has no NS records, without which DS means nothing. Create those first.`,
    )
    await zone.create({ name: 'sub', type: 'NS', value: 'ns.example.net' })
    const created = await zone.create(ds)
    expect(created).toMatchObject({ status: 200 })
    expect(await zone.put(created.body.id, { ttl: 60 })).toMatchObject({ status: 200 })
    expect(await zone.put(created.body.id, { name: 'other' })).toMatchObject(conflict)
  })

  it('is for one of two concurrent ones', async () => {
    for (let round = 0; round < 5; round++) {
      const zone = await newZone()
      const answers = await Promise.all([zone.create(a), zone.create(cname)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await zone.list()).toHaveLength(1)
    }
  })

  it('is for all but one of ten concurrent ones of the same record', async () => {
    const zone = await newZone()
    const answers = await Promise.all(Array.from({ length: 10 }, () => zone.create(a)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    expect(await zone.list()).toHaveLength(1)
  })

  it('is for one of two that are moved to one name concurrently', async () => {
    const zone = await newZone()
    const { body: one } = await zone.create({ ...cname, name: 'one' })
    const { body: two } = await zone.create({ ...cname, name: 'two', value: 'b.example.net' })
    const answers = await Promise.all([one, two].map(({ id }) => zone.put(id, { name: 'www' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('a record of the service', () => {
  it('is in the list, marked, and returned by its id', async () => {
    const zone = await newZone({ proven: true, redirect: { to: 'https://example.net', status: 308 } })
    const listed = await zone.list()
    const recordFields = listed.map(({ name, type, managed, ttl }: Record<string, unknown>) => ({
      name,
      type,
      managed,
      ttl,
    }))
    expect(recordFields).toHaveLength(2)
    expect(recordFields).toEqual(
      expect.arrayContaining([
        { name: '_svc', type: 'TXT', managed: true, ttl: 300 },
        { name: '@', type: 'A', managed: true, ttl: 300 },
      ]),
    )
    for (const record of listed) {
      expect(record).toMatchObject({ domain: zone.domain, id: expect.stringMatching(/^rec_[0-9a-f]{32}$/) })
      expect((await team.owner('GET', `${zone.path}/${record.id}`)).body).toEqual(record)
    }
  })

  it('cannot be changed or deleted: 409 with what to do instead', async () => {
    const zone = await newZone({ proven: true, redirect: { to: 'https://example.net', status: 308 } })
    for (const { id, type } of await zone.list()) {
      for (const answer of [
        await zone.put(id, { ttl: 60 }),
        await team.owner('DELETE', `${zone.path}/${id}`),
      ]) {
        expect(answer).toMatchObject(conflict)
        expect(answer.body.message).toMatch(/^This \w+ record of \S+ is managed\. /)
        expect(answer.body.message).toMatch(type === 'TXT' ? /proves ownership/ : /replaces it/)
      }
    }
    expect(await zone.list()).toHaveLength(2)
  })

  it.each([
    { name: '@', type: 'A', value: '192.0.2.1' },
    { name: '@', type: 'ALIAS', value: 'a.example.net' },
  ])('of an address is replaced by the team’s own: %j', async (own) => {
    const zone = await newZone({ proven: true, redirect: { to: 'https://example.net', status: 308 } })
    const { status, body } = await zone.create(own)
    expect(status).toBe(200)
    const managed = (await zone.list()).filter((each: { managed: boolean }) => each.managed)
    expect(managed.map(({ type }: { type: string }) => type)).toEqual(['TXT'])
    await team.owner('DELETE', `${zone.path}/${body.id}`)
    expect(await zone.list()).toHaveLength(2)
  })

  it('of an address is replaced by a CNAME at a name below', async () => {
    const zone = await newZone({ proven: true })
    await claim(node, team, `www.${zone.domain}`, { redirect: { to: 'https://example.net', status: 308 } })
    expect((await zone.list()).map(({ name }: { name: string }) => name)).toContain('www')
    expect(await zone.create(cname)).toMatchObject({ status: 200 })
    expect((await zone.list()).filter(({ name }: { name: string }) => name === 'www')).toHaveLength(1)
  })

  it('of the proof coexists with other TXT, but not with a CNAME or the like', async () => {
    const zone = await newZone({ proven: true })
    const [proof] = await zone.list()
    expect(await zone.create({ name: '_svc', type: 'CNAME', value: 'a.example.net' })).toMatchObject(conflict)
    expect(await zone.create({ name: '_svc', type: 'TXT', value: proof.value })).toMatchObject(conflict)
    expect(await zone.create({ name: '_svc', type: 'TXT', value: 'text' })).toMatchObject({ status: 200 })
    const unproven = await newZone()
    const { status } = await unproven.create({ name: '_svc', type: 'CNAME', value: 'a.example.net' })
    expect(status).toBe(200)
  })
})

describe('10,000 records', () => {
  it('are the most in a zone: then 409 too_many_records, until one is deleted', async () => {
    const zone = await newZone({ proven: true })
    const top = zone.domain.split('.')[0] ?? ''
    await db.execute(sql`
      insert into ${records} (id, team_id, domain_id, fqdn, reversed, type, value, ttl,
        created_ms, updated_ms)
      select 'rec_' || md5(${zone.id} || i), ${team.id}, ${zone.id}, 'h' || i || '.' || ${zone.domain}::text,
        'com.' || ${top}::text || '.h' || i, 'A', '192.0.2.1', 300, i, i
      from generate_series(1, 9999) as i`)
    const answers = await Promise.all([zone.create(a), zone.create({ ...a, value: '192.0.2.2' })])
    expect(answers.map(outcome)).toEqual(
      expect.arrayContaining([
        { status: 200, reason: undefined },
        { status: 409, reason: 'too_many_records' },
      ]),
    )
    const { id } = answers.find(({ status }) => status === 200)?.body ?? {}
    // A change is not an addition.
    expect(await zone.put(id, { ttl: 60 })).toMatchObject({ status: 200 })
    await team.owner('DELETE', `${zone.path}/${id}`)
    expect(await zone.create(a)).toMatchObject({ status: 200 })
  })
})

describe('4 MiB', () => {
  const long = (name: string, length: number) => ({ name, type: 'TXT', value: 'é'.repeat(length / 2) })
  const full = { status: 409, body: { reason: 'too_many_records' } }

  /** A zone from before there was this limit. */
  async function overfull() {
    const zone = await newZone({ proven: true })
    const reversed = `com.${zone.domain.split('.')[0]}`
    await db.execute(sql`
      insert into ${records} (id, team_id, domain_id, fqdn, reversed, type, value, ttl,
        created_ms, updated_ms)
      select 'rec_' || md5(${zone.id} || i), ${team.id}, ${zone.id}, 'h' || i || '.' || ${zone.domain}::text,
        ${reversed}::text || '.h' || i, 'TXT', repeat('x', 60000), 300, i, i
      from generate_series(1, 71) as i`)
    return zone
  }

  it('are the most in a zone: a larger one is still readable, and can only become smaller', async () => {
    const zone = await overfull()
    const refused = await zone.create(a)
    expect(refused).toMatchObject(full)
    expect(refused.body.message).toContain('may take 4096 KiB of names, values and comments')
    const [first, second] = (await zone.list()).filter(({ managed }: { managed: boolean }) => !managed)
    expect(await zone.put(first.id, { comment: 'longer' })).toMatchObject(full)
    expect(await zone.put(first.id, { ttl: 60 })).toMatchObject({ status: 200 })
    expect(await zone.put(first.id, { value: 'short' })).toMatchObject({ status: 200 })
    expect(await zone.create(long('again', 60_000))).toMatchObject(full)
    expect(await team.owner('DELETE', `${zone.path}/${second.id}`)).toMatchObject({ status: 200 })
    expect(await zone.create(long('again', 40_000))).toMatchObject({ status: 200 })
  })

  it('or 64 KiB and 100 records before a domain is verified, also for an import', async () => {
    const zone = await newZone()
    expect(await zone.create(long('one', 40_000))).toMatchObject({ status: 200 })
    const refused = await zone.create(long('two', 40_000))
    expect(refused).toMatchObject(full)
    expect(refused.body.message).toContain('64 KiB of names, values and comments before it is verified')
    const api = createClient({ url: node.apiUrl, token: team.ownerKey })
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `h${i} A 192.0.2.1\n`).join('')
    const imported = (count: number, dry_run: boolean) =>
      api.dns.importZone.mutate({ domain: zone.domain, zone: lines(count), dry_run })
    for (const isDry of [true, false]) {
      await expect(imported(101, isDry)).rejects.toMatchObject({ data: { reason: 'too_many_records' } })
    }
    expect(await imported(100, false)).toMatchObject({ applied: true })
    expect(await zone.create(a)).toMatchObject(full)
  })

  it('counts everything that a team has below a registrable domain', async () => {
    const zone = await newZone()
    const below = `shop.${zone.domain}`
    await team.owner('DELETE', `/v1/domains/${zone.id}`)
    await claim(node, team, below)
    await claim(node, team, `blog.${zone.domain}`)
    const at = (domain: string) => `/v1/domains/${domain}/records`
    expect((await team.owner('POST', at(below), long('one', 40_000))).status).toBe(200)
    expect(await team.owner('POST', at(`blog.${zone.domain}`), long('one', 40_000))).toMatchObject(full)
  })
})

describe('a concurrent deletion of the team', () => {
  // The embedded database has one connection, on which nothing is concurrent.
  it.runIf(process.env.TEST_ON)('neither blocks a new record, nor is blocked by it', async () => {
    const zone = await newZone()
    const { registrable } = (await db.select().from(domains).where(eq(domains.id, zone.id)))[0] ?? {}
    let creating: Promise<Answer> | undefined
    await db.transaction(async (tx) => {
      // As a deletion of a team: its row first, then the families.
      await tx.execute(sql`select from teams where id = ${team.id} for update`)
      creating = zone.create(a)
      await eventually(async () => expect(await waitingFor(tx)).toBeGreaterThan(0))
      await tx.execute(sql`select from registrable_domains where name = ${registrable} for update`)
    })
    expect(await creating).toMatchObject({ status: 200 })
  })

  /** The number of transactions that wait for this one. */
  async function waitingFor(tx: Database): Promise<number> {
    const rows = await tx
      .select({ pid: sql<number>`pid` })
      .from(sql`pg_stat_activity`)
      .where(sql`pg_backend_pid() = any(pg_blocking_pids(pid))`)
    return rows.length
  }
})
