/**
 * PowerDNS on the same database: the views in the schema `powerdns` contain exactly what the name server
 * returns.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DecodedPacket, decode } from 'dns-packet'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { endProcess } from '../../support/end-process.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestNode } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam } from '../../support/team.ts'
import { byUdp, comparable, packetType, query, queryTcp, queryUdp, rcodeOf } from './client.ts'
import { addRecords } from './records.ts'
import { sampleNames, sampleTypes, sampleZone } from './sample-zone.ts'

const top = 'example.com'

/** Names where zones of several teams meet. */
const met = [
  ...[
    'theirs',
    'x.theirs',
    'www.theirs',
    'back.theirs',
    'x.back.theirs',
    'far.back.theirs',
    'a.b.c',
    'b.c',
    'c',
  ],
  ...[
    'x.a.b.c',
    'x.b.c',
    'covered',
    'x.covered',
    'site.deep.covered',
    'deep.covered',
    'unproven',
    'x.unproven',
  ],
].map((name) => `${name}.family.org`)

const names = [...sampleNames.map((each) => (each === '' ? top : `${each}.${top}`)), ...met]

let node: TestNode
let sql: postgres.Sql
let port: number

/** The server without its backend, which is a package of its own, can't read this database. */
function findPowerDns(): boolean {
  const args = ['--config-dir=/nonexistent', '--launch=gpgsql', '--help']
  if (spawnSync('pdns_server', args, { stdio: 'ignore' }).status === 0) return true
  const what = 'PowerDNS with its backend for PostgreSQL (pdns-server, pdns-backend-pgsql) is missing'
  if (process.env.CI) throw new Error(`${what}.`)
  process.stderr.write(`${what}: tests with it are left out.\n`)
  return false
}

const isPowerDnsHere = findPowerDns()

describe.runIf(process.env.TEST_ON)('PowerDNS on the same database', () => {
  beforeAll(async () => {
    node = await startOwnNode({
      SVC_ROLES: 'api,dns',
      SVC_DNS_PORT: '0',
      SVC_DNS_RATE: '0',
      SVC_NAMESERVERS: 'ns1.svc.test,ns2.svc.test',
      SVC_EDGE_ADDRESSES: '192.0.2.80,2001:db8::80',
    })
    port = node.dnsPort ?? 0
    sql = postgres(node.settings.DATABASE_URL ?? '', { max: 1, connection: { search_path: 'powerdns' } })
    const [one, other] = [await newTeam(node), await newTeam(node)]
    await claim(node, one, top, { proven: true })
    const api = createClient({ url: node.apiUrl, token: one.ownerKey })
    for (const record of sampleZone(top)) await api.dns.create.mutate({ domain: top, ...record })

    const redirect = { to: 'https://example.net', status: 308 }
    const family = await claim(node, one, 'family.org', { proven: true, redirect })
    await claim(node, one, 'covered.family.org')
    await claim(node, one, 'site.deep.covered.family.org', { redirect })
    const theirs = await claim(node, other, 'theirs.family.org', { proven: true })
    const hidden = await claim(node, other, 'unproven.family.org')
    await claim(node, other, 'a.b.c.family.org', { proven: true, redirect })
    await claim(node, one, 'back.theirs.family.org', { proven: true })
    await claim(node, one, 'far.back.theirs.family.org', { proven: true })
    await addRecords(node, family, [
      { fqdn: 'www.theirs.family.org', type: 'A', value: '192.0.2.66' },
      { fqdn: 'x.back.theirs.family.org', type: 'A', value: '192.0.2.67' },
      { fqdn: 'family.org', type: 'NS', value: 'ns.elsewhere.net' },
    ])
    await addRecords(node, theirs, [
      { fqdn: 'www.theirs.family.org', type: 'A', value: '192.0.2.1' },
      { fqdn: 'x.family.org', type: 'A', value: '192.0.2.68' },
    ])
    await addRecords(node, hidden, [{ fqdn: 'x.unproven.family.org', type: 'A', value: '192.0.2.69' }])
  })

  afterAll(async () => {
    await sql.end()
    await node.stop()
  })

  it('has the same zones, each with the same SOA and NS records', async () => {
    const zones = await sql`select name, type from domains order by name`
    const apexes = ['a.b.c.family.org', 'back.theirs.family.org', top, 'family.org', 'theirs.family.org']
    expect(zones.map(({ name }) => name)).toEqual(apexes)
    for (const apex of apexes) {
      const rows = await sql`
        select type, content, ttl from records
        where name = ${apex} and type in ('SOA', 'NS') order by type, content`
      const [soa] = (await queryUdp(port, apex, 'SOA')).answers ?? []
      if (soa?.type !== 'SOA') throw new Error('There is no SOA.')
      const { mname, rname, serial, refresh, retry, expire, minimum } = soa.data
      expect(rows.map(({ type, content, ttl }) => `${type} ${ttl} ${content}`)).toEqual([
        'NS 3600 ns1.svc.test',
        'NS 3600 ns2.svc.test',
        `SOA 3600 ${[mname, rname, serial, refresh, retry, expire, minimum].join(' ')}`,
      ])
    }
  })

  it('has the same records, and no others', async () => {
    const rows = await sql`
        select name, type, content, prio from records where type is not null and type not in ('SOA', 'NS')`
    expect(rows.length).toBeGreaterThan(40)
    for (const { name, type } of rows) {
      // At and below a delegation they are in other sections of the response.
      const { answers = [], authorities = [], additionals = [] } = await queryTcp(port, name, type)
      const own = [...answers, ...authorities, ...additionals].filter(
        (each) => each.name === name && each.type === packetType(type),
      )
      const theirs = rows.filter((row) => row.name === name && row.type === type)
      expect([name, type, own.length]).toEqual([name, type, theirs.length])
      if (type !== 'A') continue
      const values = own.flatMap((each) => (each.type === 'A' ? [each.data] : []))
      expect(values.sort()).toEqual(theirs.map(({ content }) => content).sort())
    }
    const held = new Set(rows.map(({ name, type }) => `${name} ${type}`))
    for (const name of names) {
      for (const { name: owner, type } of (await queryUdp(port, name, 'A')).answers ?? []) {
        const [, ...above] = owner.toLowerCase().split('.')
        const stands = [owner.toLowerCase(), ...above.map((_, index) => `*.${above.slice(index).join('.')}`)]
        expect(stands.some((each) => held.has(`${each} ${type}`))).toBe(true)
      }
    }
  })

  it('has texts in their strings, and the priority of SVCB in the content', async () => {
    const contents = async (name: string, type: string) =>
      (await sql`select content from records where name = ${`${name}.${top}`} and type = ${type}`).map(
        ({ content }) => content,
      )
    const texts = await contents('texts', 'TXT')
    expect(texts).toContain('"a=1" "" "b=\\"ü\\"\\\\"')
    expect(texts).toContain('"a=1b=\\"ü\\"\\\\"')
    expect(await contents('empty-text', 'TXT')).toEqual(['""'])
    expect(await contents('alias', 'HTTPS')).toEqual([`0 mail.${top}`])
    expect(await contents('x.svcb', 'SVCB')).toEqual([])
    expect(await contents('*.svcb', 'SVCB')).toEqual(['0 .'])
  })

  it('has the configured addresses of the edge', async () => {
    expect(await sql`select type, value from public.edge_targets order by type`).toEqual([
      { type: 'A', value: '192.0.2.80' },
      { type: 'AAAA', value: '2001:db8::80' },
    ])
  })

  describe.runIf(isPowerDnsHere)('responding by itself', () => {
    let server: ChildProcess | undefined
    let serverPort: number

    beforeAll(async () => {
      const directory = await mkdtemp(join(inject('directory'), 'pdns-'))
      serverPort = Number(await freePort())
      const {
        hostname,
        port: databasePort,
        pathname,
        username,
        password,
      } = new URL(node.settings.DATABASE_URL ?? '')
      const settings = {
        'local-address': '127.0.0.1',
        'local-port': serverPort,
        'socket-dir': directory,
        launch: 'gpgsql',
        'gpgsql-host': hostname,
        'gpgsql-port': databasePort || 5432,
        'gpgsql-dbname': pathname.slice(1),
        'gpgsql-user': decodeURIComponent(username),
        'gpgsql-password': decodeURIComponent(password),
        'gpgsql-extra-connection-parameters': 'options=-csearch_path=powerdns',
        loglevel: 3,
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
      await writeFile(join(directory, 'pdns.conf'), lines.join(''))
      server = spawn('pdns_server', [`--config-dir=${directory}`, '--daemon=no', '--guardian=no'], {
        stdio: 'ignore',
      })
      await eventually(async () => expect(rcodeOf(await queryServer(top, 'SOA'))).toBe('NOERROR'))
    })

    afterAll(async () => {
      await endProcess(server)
    })

    async function queryServer(name: string, type: string): Promise<DecodedPacket> {
      const answer = await byUdp(serverPort, query(name, type), 2_000)
      if (!answer) throw new Error('PowerDNS does not answer.')
      return decode(answer)
    }

    /**
     * PowerDNS fails on loops, follows wildcards when a CNAME is queried, queries the parent zone for DS, and
     * can't hold the size of a place beyond 42,949 km.
     */
    function isAnsweredOtherwise(name: string, type: string): boolean {
      return (
        name === `one.${top}` ||
        (type === 'CNAME' && /cwild/i.test(name)) ||
        type === 'DS' ||
        (name === `far.${top}` && type === 'LOC')
      )
    }

    /** Without the additional section, which each server fills differently. */
    function sectionsOf(packet: DecodedPacket) {
      const { additionals: _, ...rest } = comparable(packet)
      return rest
    }

    it('answers nothing, at a name that is there, for a record that PowerDNS can not hold', async () => {
      const { answers, rcode } = comparable(await queryServer(`far.${top}`, 'LOC'))
      expect([rcode, answers]).toEqual(['NOERROR', []])
    })

    it.each(sampleTypes)('answers queries for %s like this server', async (type) => {
      const differing: unknown[] = []
      for (const name of names) {
        if (isAnsweredOtherwise(name, type)) continue
        const ours = sectionsOf(await queryUdp(port, name, type))
        const theirs = sectionsOf(await queryServer(name, type))
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push([name, type, ours, theirs])
      }
      expect(differing).toEqual([])
    })
  })
})
