/**
 * Several nodes on one database: a change on one node is answered by the others, also while the database is
 * unreachable.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../api/server/tcp-proxy.ts'
import { claim } from '../../support/claims.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { queryUdp, rcodeOf } from './client.ts'
import { addRecords } from './records.ts'

const database = process.env.TEST_ON ? inject('database') : undefined

describe.runIf(database)('a name server beside another node', () => {
  let writer: TestNode
  let reader: TestNode
  let proxy: TcpProxy
  let team: TestTeam
  let top: string
  let claimId: string

  beforeAll(async () => {
    const url = new URL(database ?? '')
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    writer = await sharedNode()
    reader = await startTestNode({
      DATABASE_URL: url.href,
      SVC_ROLES: 'dns',
      SVC_DNS_PORT: '0',
      SVC_DNS_RATE: '0',
    })
    team = await newTeam(writer)
    top = `${unique('nodes')}.com`
    claimId = await claim(writer, team, top, { proven: true })
  })

  afterAll(async () => {
    await proxy.restore()
    await reader.stop()
    await proxy.cut()
  })

  const rcode = async (name: string, type = 'TXT') => rcodeOf(await queryUdp(reader.dnsPort ?? 0, name, type))

  /** A change must apply within a second; this machine may be busy with other things. */
  const soon = (check: () => Promise<void>) => eventually(check, { limitMs: 3_000 })

  it.each([
    ['with its notification', false],
    ['without its notification', true],
  ])('answers a change %s', async (_, isNewsLost) => {
    const name = `${unique('new')}.${top}`
    expect(await rcode(name)).toBe('NXDOMAIN')
    await addRecords(writer, claimId, [{ fqdn: name, type: 'TXT', value: 'new' }], { isNewsLost })
    await soon(async () => expect(await rcode(name)).toBe('NOERROR'))
  })

  it('answers for a name that had no owner a moment ago, also without a notification', async () => {
    const domain = `${unique('born')}.com`
    expect(await rcode(domain)).toBe('REFUSED')
    expect(proxy.silence('listen')).toBeGreaterThan(0)
    await claim(writer, team, domain, { proven: true })
    await soon(async () => expect(await rcode(domain, 'SOA')).toBe('NOERROR'))
  })

  it('answers from its cache without the database, and then applies the changes meanwhile', async () => {
    const other = `${unique('away')}.com`
    await claim(writer, team, other, { proven: true })
    expect(await rcode(top, 'SOA')).toBe('NOERROR')
    await proxy.cut()
    await addRecords(writer, claimId, [{ fqdn: `meanwhile.${top}`, type: 'TXT', value: 'x' }])
    expect(await rcode(top, 'SOA')).toBe('NOERROR')
    expect(await rcode(`meanwhile.${top}`)).toBe('NXDOMAIN')
    expect(await rcode(other, 'SOA')).toBe('SERVFAIL')
    await proxy.restore()
    await eventually(async () => expect(await rcode(`meanwhile.${top}`)).toBe('NOERROR'))
    await eventually(async () => expect(await rcode(other, 'SOA')).toBe('NOERROR'))
  })
})
