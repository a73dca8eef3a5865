/** Every change of a DNS record is an event, also for records that change along with it. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { registrableDomains } from '../../../src/stores/db/schema/domains.ts'
import { claim } from '../../support/claims.ts'
import { eventPairs, logOf } from '../../support/event-log.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

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

it('a record’s events say that it was created, changed and deleted, by whom', async () => {
  const { body, headers } = await team.owner('POST', path, { ...a, comment: 'the first' })
  await team.owner('PUT', `${path}/${body.id}`, { name: '@', value: '192.0.2.9' })
  await team.owner('DELETE', `${path}/${body.id}`)
  const record = { ...numbers, ...a, id: body.id, domain, ttl: 300 }
  expect(await eventPairs(node, team)).toEqual([
    ['record.created', { record }],
    [
      'record.updated',
      {
        record: { ...record, name: '@', value: '192.0.2.9' },
        changes: [
          { field: 'name', before: 'www', after: '@' },
          { field: 'value', before: '192.0.2.1', after: '192.0.2.9' },
        ],
      },
    ],
    ['record.deleted', { record: { ...record, name: '@', value: '192.0.2.9' } }],
  ])
  const [created] = await logOf(node, team)
  const by = { actorId: team.ownerId, requestId: headers.get('x-request-id'), address: '127.0.0.1' }
  expect(created).toMatchObject(by)
})

it('a change of ttl is an event for each affected record', async () => {
  const { body: first } = await team.owner('POST', path, a)
  const { body: second } = await team.owner('POST', path, { ...a, value: '192.0.2.2', ttl: 600 })
  await team.owner('PUT', `${path}/${second.id}`, { ttl: 900 })
  const events = (await logOf(node, team)).map(({ type, data }) => ({ event: type, ...Object(data.record) }))
  expect(events.map(({ event, id, ttl }) => [event, id, ttl])).toEqual([
    ['record.created', first.id, 300],
    ['record.created', second.id, 600],
    ['record.updated', first.id, 600],
    ['record.updated', second.id, 900],
    ['record.updated', first.id, 900],
  ])
})

describe('PUT without a change', () => {
  it('changes nothing: neither updated_ms nor the serial, and creates no event', async () => {
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

  it('is still refused for another zone, or an unknown record', async () => {
    const { body } = await team.owner('POST', path, a)
    await claim(node, team, `www.${domain}`)
    const below = await team.owner('PUT', `/v1/domains/www.${domain}/records/${body.id}`, {})
    expect(below.body.reason).toBe('in_zone_of')
    expect((await team.owner('PUT', `${path}/rec_1`, {})).body.reason).toBe('record_not_found')
    expect((await team.owner('PUT', `${path}/${body.id}`, { type: 'TXT' })).body.reason).toBe('invalid_input')
  })
})

describe('a zone file', () => {
  it('creates an event for each record that it adds, changes and removes', async () => {
    await importZone('old 60 TXT x\nkept 60 TXT x\nslow 60 TXT x')
    await importZone('new 60 TXT x\nkept 60 TXT x\nslow 90 TXT x')
    await importZone('new 60 TXT x\nkept 60 TXT x\nslow 90 TXT x')
    const events = (await logOf(node, team))
      .slice(3)
      .map(({ type, data }) => ({ event: type, ...Object(data.record) }))
    expect(events.map(({ event, name, ttl, domain }) => [event, name, ttl, domain])).toEqual([
      ['record.deleted', 'old', 60, domain],
      ['record.updated', 'slow', 90, domain],
      ['record.created', 'new', 60, domain],
    ])
  })

  it('of 10,000 records creates events, too', { tags: 'long' }, async () => {
    // Before anything is verified a team may have far fewer.
    domain = `${unique('zone')}.com`
    await claim(node, team, domain, { proven: true })
    const lines = Array.from({ length: 10_000 }, (_, i) => `h${i} 60 TXT ${'x'.repeat(100)}`)
    await importZone(lines.join('\n'))
    await importZone('')
    expect(await logOf(node, team)).toHaveLength(20_000)
  })
})
