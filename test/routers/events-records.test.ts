/** Every change of a DNS record is told, also of those that change with it. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { registrableDomains } from '../../src/db/schema/domains.ts'
import { claim } from '../support/claims.ts'
import { logOf, toldTo } from '../support/event-log.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

let node: TestNode
let team: TestTeam
let domain: string
let path: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  domain = `${unique('zone')}.com`
  path = `/v1/domains/${domain}/records`
  await claim(node, team, domain)
})

async function serial() {
  const { db } = node.installation.store
  return db.select().from(registrableDomains).where(eq(registrableDomains.name, domain))
}

const importZone = (zone: string) =>
  createClient({ url: node.apiUrl, token: team.ownerKey }).dns.importZone.mutate({ domain, zone })

const numbers = { priority: null, weight: null, port: null }
const a = { name: 'www', type: 'A', value: '192.0.2.1' }

it('a record tells that it was created, changed and deleted, by whom', async () => {
  const { body, headers } = await team.owner('POST', path, { ...a, comment: 'the first' })
  await team.owner('PUT', `${path}/${body.id}`, { name: '@', value: '192.0.2.9' })
  await team.owner('DELETE', `${path}/${body.id}`)
  const record = { ...numbers, ...a, id: body.id, domain, ttl: 300 }
  expect(await toldTo(node, team)).toEqual([
    ['record.created', { record }],
    ['record.updated', { record: { ...record, name: '@', value: '192.0.2.9' } }],
    ['record.deleted', { record: { ...record, name: '@', value: '192.0.2.9' } }],
  ])
  const [created] = await logOf(node, team)
  const by = { actorId: team.ownerId, requestId: headers.get('x-request-id'), address: '127.0.0.1' }
  expect(created).toMatchObject(by)
})

it('a ttl tells of each record that it was set for', async () => {
  const { body: first } = await team.owner('POST', path, a)
  const { body: second } = await team.owner('POST', path, { ...a, value: '192.0.2.2', ttl: 600 })
  await team.owner('PUT', `${path}/${second.id}`, { ttl: 900 })
  const told = (await logOf(node, team)).map(({ type, data }) => ({ event: type, ...Object(data.record) }))
  expect(told.map(({ event, id, ttl }) => [event, id, ttl])).toEqual([
    ['record.created', first.id, 300],
    ['record.created', second.id, 600],
    ['record.updated', first.id, 600],
    ['record.updated', second.id, 900],
    ['record.updated', first.id, 900],
  ])
})

describe('PUT of what is so already', () => {
  it('changes nothing: not the time of the change, not the serial, and nothing is told', async () => {
    const { body } = await team.owner('POST', path, { ...a, type: 'TXT', value: 'x', comment: 'y', ttl: 600 })
    const before = await serial()
    const { name, type, value, ttl, comment } = body
    for (const same of [{ name, type, value, ttl, comment, ...numbers }, {}, { name: `www.${domain}.` }]) {
      const answer = await team.owner('PUT', `${path}/${body.id}`, same)
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body })
    }
    expect(await serial()).toEqual(before)
    expect(await logOf(node, team)).toHaveLength(1)
    await team.owner('PUT', `${path}/${body.id}`, { comment: null })
    expect(await serial()).not.toEqual(before)
    expect(await logOf(node, team)).toHaveLength(2)
  })

  it('is refused all the same where it is not the zone, or no record', async () => {
    const { body } = await team.owner('POST', path, a)
    await claim(node, team, `www.${domain}`)
    const below = await team.owner('PUT', `/v1/domains/www.${domain}/records/${body.id}`, {})
    expect(below.body.reason).toBe('in_zone_of')
    expect((await team.owner('PUT', `${path}/rec_1`, {})).body.reason).toBe('record_not_found')
    expect((await team.owner('PUT', `${path}/${body.id}`, { type: 'TXT' })).body.reason).toBe('invalid_input')
  })
})

describe('a zone file', () => {
  it('tells of each record that it adds, changes and removes', async () => {
    await importZone('old 60 TXT x\nkept 60 TXT x\nslow 60 TXT x')
    await importZone('new 60 TXT x\nkept 60 TXT x\nslow 90 TXT x')
    await importZone('new 60 TXT x\nkept 60 TXT x\nslow 90 TXT x')
    const told = (await logOf(node, team))
      .slice(3)
      .map(({ type, data }) => ({ event: type, ...Object(data.record) }))
    expect(told.map(({ event, name, ttl, domain }) => [event, name, ttl, domain])).toEqual([
      ['record.deleted', 'old', 60, domain],
      ['record.updated', 'slow', 90, domain],
      ['record.created', 'new', 60, domain],
    ])
  })

  it('of 10,000 records is told, too', { tags: 'long' }, async () => {
    // Before anything is verified a team may have far fewer.
    domain = `${unique('zone')}.com`
    await claim(node, team, domain, { proven: true })
    const lines = Array.from({ length: 10_000 }, (_, i) => `h${i} 60 TXT ${'x'.repeat(100)}`)
    await importZone(lines.join('\n'))
    await importZone('')
    expect(await logOf(node, team)).toHaveLength(20_000)
  })
})
