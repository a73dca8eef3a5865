/** The same zone in Knot DNS: every answer is the same. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DecodedPacket, decode } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startNameServer } from '../../src/nameserver/server.ts'
import { claim } from '../support/claims.ts'
import { sharedNode, unique } from '../support/node.ts'
import { freePort } from '../support/ports.ts'
import { newTeam } from '../support/team.ts'
import { ask, byUdp, query, rcodeOf } from './client.ts'
import { addRecords } from './records.ts'

const top = `${unique('knot')}.com`

/** Name below the domain, type, value; of MX and SRV the numbers first, as in a master file. */
const zone = [
  ['@', 'A', '192.0.2.1'],
  ['@', 'MX', `10 mail.${top}.`],
  ['@', 'MX', '20 mail.example.net.'],
  ['mail', 'A', '192.0.2.2'],
  ['mail', 'AAAA', '2001:db8::2'],
  ['www', 'CNAME', `${top}.`],
  ['chain', 'CNAME', `www.${top}.`],
  ['out', 'CNAME', 'example.net.'],
  ['dangling', 'CNAME', `nothing.${top}.`],
  ['one', 'CNAME', `two.${top}.`],
  ['two', 'CNAME', `one.${top}.`],
  ['to-sub', 'CNAME', `host.sub.${top}.`],
  ['*.wild', 'TXT', '"wild"'],
  ['*.wild', 'A', '192.0.2.3'],
  ['*.mxw', 'MX', `5 mail.${top}.`],
  ['mx-to-wild', 'MX', `5 x.wild.${top}.`],
  ['mx-to-sub', 'MX', `5 ns.sub.${top}.`],
  ['a.b.wild', 'A', '192.0.2.4'],
  ['*.cwild', 'CNAME', `${top}.`],
  ['a.empty', 'A', '192.0.2.5'],
  ['sub', 'NS', `ns.sub.${top}.`],
  ['sub', 'NS', 'ns.example.net.'],
  ['ns.sub', 'A', '192.0.2.6'],
  ['_sip._tcp', 'SRV', `1 2 5060 mail.${top}.`],
] as const

const asked = [
  ...['', 'mail', 'www', 'chain', 'out', 'dangling', 'one', 'to-sub', 'wild', 'x.wild', 'x.y.wild', 'b.wild'],
  ...['c.b.wild', 'x.a.b.wild', '*.wild', 'x.*.wild', 'x.mxw', 'mx-to-wild', 'mx-to-sub', 'x.cwild', 'empty'],
  ...['a.empty', 'b.empty', 'sub', 'x.sub', 'ns.sub', 'a.b.sub', '_tcp', '_sip._tcp', 'x._tcp', 'nothing'],
  ...['a.b.nothing', 'WwW', 'X.wIld'],
].map((name) => (name === '' ? top : `${name}.${top}`))

const types = ['A', 'AAAA', 'MX', 'NS', 'SOA', 'TXT', 'CNAME', 'SRV', 'CAA', 'DS', 'DNSKEY']

const hasKnot = findKnot()

function findKnot(): boolean {
  try {
    execFileSync('knotd', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write('knotd (knot) is missing: answers are not compared with it.\n')
    return false
  }
}

describe.runIf(hasKnot)('answers as Knot DNS does', () => {
  let directory: string
  let knot: ChildProcess
  let knotPort: number
  let own: Awaited<ReturnType<typeof startNameServer>>

  beforeAll(async () => {
    const node = await sharedNode()
    const nameservers = ['ns1.svc.test', 'ns2.svc.test']
    own = await startNameServer({
      store: node.installation.store,
      nameservers,
      resolvers: undefined,
      log: { warn: () => {} },
      host: '127.0.0.1',
      port: 0,
      rate: 0,
    })
    const id = await claim(node, await newTeam(node), top, { proven: true })
    await addRecords(node, id, zone.map(toRecord))
    directory = await mkdtemp(join(tmpdir(), 'knot-'))
    knotPort = Number(await freePort())
    await writeFile(join(directory, 'zone'), await zoneFile(nameservers))
    await writeFile(
      join(directory, 'conf'),
      `server:\n  listen: 127.0.0.1@${knotPort}\n  rundir: ${directory}\n` +
        `database:\n  storage: ${directory}/db\nzone:\n  - domain: ${top}\n    file: ${directory}/zone\n`,
    )
    knot = spawn('knotd', ['-c', join(directory, 'conf')], { stdio: 'ignore' })
    await vi.waitFor(async () => expect(rcodeOf(await askKnot(top, 'SOA'))).toBe('NOERROR'), {
      timeout: 20_000,
    })
  })

  afterAll(async () => {
    const exited = once(knot, 'exit')
    knot.kill()
    await exited
    await own.close(0)
    await rm(directory, { recursive: true })
  })

  function toRecord([name, type, text]: (typeof zone)[number]) {
    const words = text.replaceAll('"', '').replace(/\.$/, '').split(' ')
    const value = words.pop() ?? ''
    const [priority, weight, port] = words.map(Number)
    return {
      fqdn: name === '@' ? top : `${name}.${top}`,
      type,
      value,
      ...(priority !== undefined && { priority }),
      ...(weight !== undefined && { weight }),
      ...(port !== undefined && { port }),
    }
  }

  async function zoneFile(nameservers: string[]): Promise<string> {
    const [soa] = (await ask(own.port, top, 'SOA')).answers ?? []
    if (soa?.type !== 'SOA') throw new Error('There is no SOA.')
    const { mname, rname, serial, refresh, retry, expire, minimum } = soa.data
    const numbers = [serial, refresh, retry, expire, minimum].join(' ')
    const [proof] = (await ask(own.port, `_svc.${top}`, 'TXT')).answers ?? []
    if (proof?.type !== 'TXT') throw new Error('There is no proof.')
    return [
      `$ORIGIN ${top}.\n$TTL 300`,
      `@ 3600 SOA ${mname}. ${rname}. ${numbers}`,
      ...nameservers.map((name) => `@ 3600 NS ${name}.`),
      ...zone.map((record) => record.join(' ')),
      `_svc TXT "${proof.data}"\n`,
    ].join('\n')
  }

  async function askKnot(name: string, type: string): Promise<DecodedPacket> {
    const answer = await byUdp(knotPort, query(name, type), 1_000)
    if (!answer) throw new Error('Knot does not answer.')
    return decode(answer)
  }

  /** Everything but the order of records, which nobody may depend on. */
  function comparable(packet: DecodedPacket) {
    const sorted = (records: unknown[] = []) => records.map((record) => JSON.stringify(record)).sort()
    return {
      rcode: rcodeOf(packet),
      flags: [packet.flag_aa, packet.flag_tc, packet.flag_rd, packet.flag_ra],
      questions: packet.questions,
      answers: sorted(packet.answers),
      authorities: sorted(packet.authorities),
      additionals: sorted(packet.additionals),
    }
  }

  it.each(types)('to questions for %s', async (type) => {
    for (const name of asked) {
      expect(comparable(await ask(own.port, name, type))).toEqual(comparable(await askKnot(name, type)))
    }
  })
})
