/** However large a client's input is, its event is small, and has no secret. */
import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { events } from '../../../src/stores/db/schema/events.ts'
import { shortEntries, shortText } from '../../../src/stores/events/limit-event-size.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

/** The stored data of the latest event. */
async function latest(): Promise<string> {
  const [event] = await node.installation.store.db
    .select({ data: events.data })
    .from(events)
    .where(eq(events.teamId, team.id))
    .orderBy(desc(events.createdMs), desc(events.id))
    .limit(1)
  return JSON.stringify(event?.data)
}

describe('an event of', () => {
  it('a deployment with the largest meta has its shortest entries', async () => {
    const many = Array.from({ length: 63 }, (_, at) => [`${at}`.padEnd(100, '€'), '€'.repeat(1_000)])
    await deploy(team, { meta: { branch: 'main', ...Object.fromEntries(many) } })
    const data = await latest()
    expect(Buffer.byteLength(data)).toBeLessThan(10_000)
    expect(data).toContain('"branch":"main"')
  })

  it('the longest record has its beginning', async () => {
    const domain = `${unique('domain')}.com`
    await claim(node, team, domain, { proven: true })
    const value = `begin ${'€'.repeat(20_000)}`
    await team.owner('POST', `/v1/domains/${domain}/records`, { type: 'TXT', name: 'a', value })
    const data = await latest()
    expect(Buffer.byteLength(data)).toBeLessThan(2_000)
    expect(data).toContain('begin €')
  })

  it('the largest environment has the name of the field alone', async () => {
    const env = Array.from({ length: 15 }, (_, at) => ({ key: `NAME_${at}`, value: 'secret'.repeat(600) }))
    await team.owner('PUT', '/v1/projects/secrets', {})
    const { status, body } = await team.owner('PUT', '/v1/projects/secrets', { env })
    expect(status, JSON.stringify(body)).toBe(200)
    const data = await latest()
    expect(data).toContain('"changed":["env"]')
    expect(data).not.toContain('secretsecret')
    expect(Buffer.byteLength(data)).toBeLessThan(500)
  })
})

describe('a short text', () => {
  it('stays as it is', () => {
    const text = 'a'.repeat(1_024)
    expect(shortText(text)).toBe(text)
    const meta = { z: '1', branch: 'main', a: text }
    expect(Object.entries(shortEntries(meta))).toEqual(Object.entries(meta))
  })
})

describe('a longer one', () => {
  it('ends with an ellipsis, between two characters', () => {
    expect(shortText('a'.repeat(1_025))).toBe(`${'a'.repeat(1_021)}…`)
    expect(shortText('𝄞'.repeat(300))).toBe(`${'𝄞'.repeat(255)}…`)
  })
})
