/** An exported zone, loaded by Knot DNS: every response is the same. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DecodedPacket, decode, type Packet } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { nameserversOf } from '../../../src/platform/zones/soa.ts'
import { startNameServer } from '../../../src/roles/nameserver/server.ts'
import { claim } from '../../support/claims.ts'
import { endProcess } from '../../support/end-process.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam } from '../../support/team.ts'
import { byUdp, comparable, findProgram, query, queryTcp, rcodeOf } from './client.ts'
import { sampleNames, sampleTypes, sampleZone } from './sample-zone.ts'

const top = `${unique('knot')}.com`

type Client = Pick<Packet, 'additionals'>

const withEdns: Client = {
  additionals: [
    {
      type: 'OPT',
      name: '.',
      udpPayloadSize: 1_232,
      extendedRcode: 0,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    },
  ],
}

/** By UDP: without EDNS a response has at most 512 bytes. */
const clients: [client: string, more: Client][] = [
  ['clients without EDNS', {}],
  ['clients with EDNS', withEdns],
]

describe.runIf(findProgram('knotd', '-V', 'knot'))('responds like Knot DNS', () => {
  let knot: ChildProcess | undefined
  let knotPort: number
  let own: Awaited<ReturnType<typeof startNameServer>>

  beforeAll(async () => {
    const node = await sharedNode()
    own = await startNameServer({
      store: node.installation.store,
      nameservers: nameserversOf([], node.sitesUrl),
      resolvers: undefined,
      log: { warn: () => {} },
      host: '127.0.0.1',
      port: 0,
      rate: 0,
    })
    const team = await newTeam(node)
    await claim(node, team, top, { proven: true })
    const api = createClient({ url: node.apiUrl, token: team.ownerKey })
    for (const record of sampleZone(top)) await api.dns.create.mutate({ domain: top, ...record })
    const directory = await mkdtemp(join(inject('directory'), 'knot-'))
    knotPort = Number(await freePort())
    await writeFile(join(directory, 'zone'), (await api.dns.exportZone.query({ domain: top })).zone)
    await writeFile(
      join(directory, 'conf'),
      `server:\n  listen: 127.0.0.1@${knotPort}\n  rundir: ${directory}\n` +
        `database:\n  storage: ${directory}/db\nzone:\n  - domain: ${top}\n    file: ${directory}/zone\n`,
    )
    knot = spawn('knotd', ['-c', join(directory, 'conf')], { stdio: 'ignore' })
    await eventually(async () => expect(rcodeOf(await queryKnot(top, 'SOA'))).toBe('NOERROR'))
  })

  afterAll(async () => {
    await endProcess(knot)
    await own?.close(0)
  })

  async function queryKnot(name: string, type: string, client: Client = {}): Promise<DecodedPacket> {
    const answer = await byUdp(knotPort, query(name, type, client), 1_000)
    if (!answer) throw new Error('Knot does not answer.')
    return decode(answer)
  }

  async function queryOwn(name: string, type: string, client: Client): Promise<DecodedPacket> {
    const answer = await byUdp(own.port, query(name, type, client))
    if (!answer) throw new Error(`There was no answer about ${name}.`)
    return decode(answer)
  }

  describe.each(clients)('to %s', (_client, client) => {
    it.each(sampleTypes)('about %s', async (type) => {
      for (const name of sampleNames.map((each) => (each === '' ? top : `${each}.${top}`))) {
        const [ours, theirs] = [await queryOwn(name, type, client), await queryKnot(name, type, client)]
        expect([name, ours.flag_tc]).toEqual([name, theirs.flag_tc])
        if (!ours.flag_tc) expect(comparable(ours)).toEqual(comparable(theirs))
      }
    })
  })

  it('by TCP, where every response fits', async () => {
    for (const name of ['long', 'texts', 'www', 'nothing', 'sub', 'X.wILD'].map((each) => `${each}.${top}`)) {
      const [ours, theirs] = [await queryTcp(own.port, name, 'TXT'), await queryTcp(knotPort, name, 'TXT')]
      expect(comparable(ours)).toEqual(comparable(theirs))
    }
    const { answers } = await queryTcp(own.port, `long.${top}`, 'TXT')
    expect(JSON.stringify(answers).length).toBeGreaterThan(1_232)
    expect((await queryOwn(`long.${top}`, 'TXT', withEdns)).flag_tc).toBe(true)
  })
})
