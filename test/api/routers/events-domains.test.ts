/** Changes of domains are events of the teams that own them. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domains, registrableDomains } from '../../../src/stores/db/schema/domains.ts'
import {
  checkAllDue,
  type DomainNode,
  dayMs,
  prove,
  startDomainNode,
} from '../../platform/domains/check/domain-node.ts'
import { claim } from '../../support/claims.ts'
import { eventPairs, logOf } from '../../support/event-log.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let at: DomainNode
let node: TestNode

beforeAll(async () => {
  at = await startDomainNode()
  node = at.node
})

afterAll(() => at.stop())

const newName = () => `${unique('event')}.com`
const put = (team: TestTeam, domain: string, changes?: object) =>
  team.owner('PUT', `/v1/domains/${domain}`, changes)

const typesOf = async (team: TestTeam) => (await logOf(node, team)).map(({ type }) => type)

describe('a domain’s events', () => {
  it('say that it was claimed, verified and deleted: by whom, and for which project', async () => {
    const team = await newTeam(node)
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    const domain = newName()
    const { body, headers } = await put(team, domain, { project: 'web' })
    await prove(at, body.id)
    await team.owner('POST', `/v1/domains/${domain}/verify`)
    await team.owner('POST', `/v1/domains/${domain}/verify`)
    await team.owner('DELETE', `/v1/domains/${domain}`)
    const [, created, ...later] = await logOf(node, team)
    const eventDomain = { id: body.id, domain, project: 'web', verified: false }
    expect(created).toMatchObject({
      type: 'domain.created',
      data: { domain: eventDomain },
      projectId: project.id,
      actorId: team.ownerId,
      requestId: headers.get('x-request-id'),
    })
    expect(later).toMatchObject([
      {
        type: 'domain.verified',
        data: { domain: { ...eventDomain, verified: true } },
        actorId: team.ownerId,
      },
      { type: 'domain.deleted', data: { domain: { ...eventDomain, verified: true } }, projectId: project.id },
    ])
  })

  it('include an immediate verification below a verified name, and every loss with that name', async () => {
    const team = await newTeam(node)
    const domain = newName()
    await claim(node, team, domain, { proven: true })
    await put(team, `www.${domain}`)
    await team.owner('DELETE', `/v1/domains/${domain}`)
    expect(await eventPairs(node, team)).toMatchObject([
      ['domain.created', { domain: { domain: `www.${domain}`, verified: false } }],
      ['domain.verified', { domain: { domain: `www.${domain}`, verified: true } }],
      ['domain.deleted', { domain: { domain, verified: true } }],
      ['domain.unverified', { domain: { domain: `www.${domain}`, verified: false } }],
    ])
  })

  it('do not include refused calls', async () => {
    const team = await newTeam(node)
    const domain = newName()
    await claim(node, await newTeam(node), domain, { proven: true })
    expect((await put(team, domain)).status).toBe(409)
    expect(await logOf(node, team)).toEqual([])
  })
})

it('a repeated PUT changes nothing: neither updated_ms nor the serial', async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const domain = newName()
  const changes = { project: 'web', redirect: { to: 'example.net' } }
  const { body } = await put(team, domain, changes)
  const { db } = node.installation.store
  const stored = async () => [
    await db.select().from(domains).where(eq(domains.id, body.id)),
    await db.select().from(registrableDomains).where(eq(registrableDomains.name, domain)),
  ]
  const before = await stored()
  for (const same of [changes, {}, { project: 'web' }]) {
    expect((await put(team, domain, same)).body).toEqual(body)
    expect((await put(team, body.id, same)).body).toEqual(body)
  }
  expect(await stored()).toEqual(before)
  await put(team, body.id, { redirect: null })
  expect(await stored()).not.toEqual(before)
  expect(await typesOf(team)).toEqual(['project.created', 'domain.created', 'domain.updated'])
})

it('that goes from one project to another is in the log of neither', async () => {
  const team = await newTeam(node)
  const { body: web } = await team.owner('PUT', '/v1/projects/web')
  await team.owner('PUT', '/v1/projects/docs')
  const domain = newName()
  for (const project of ['web', 'docs', null, 'web', null]) await put(team, domain, { project })
  const updates = (await logOf(node, team)).filter(({ type }) => type === 'domain.updated')
  expect(updates.map(({ projectId, data }) => [projectId, data.changes])).toEqual([
    [null, [{ field: 'project', before: 'web', after: 'docs' }]],
    [expect.any(String), [{ field: 'project', before: 'docs', after: null }]],
    [web.id, [{ field: 'project', before: null, after: 'web' }]],
    [web.id, [{ field: 'project', before: 'web', after: null }]],
  ])
})

describe('a name that another team verifies', () => {
  it('is an event for both teams, for the other one without the actor', async () => {
    const [above, below] = [await newTeam(node), await newTeam(node)]
    const domain = newName()
    await claim(node, above, domain, { proven: true })
    await claim(node, above, `shop.${domain}`)
    const id = await claim(node, below, `shop.${domain}`)
    await prove(at, id)
    await below.owner('POST', `/v1/domains/shop.${domain}/verify`)
    expect(await logOf(node, below)).toMatchObject([{ type: 'domain.verified', actorId: below.ownerId }])
    const foreign = { actorId: null, keyId: null, address: null, requestId: null }
    const lost = { type: 'domain.unverified', teamId: above.id, ...foreign }
    expect(await logOf(node, above)).toMatchObject([lost])
    const { body: log } = await above.owner('GET', '/v1/logs?kind=audit&limit=1')
    expect(log.data).toMatchObject([
      { fields: { type: 'domain.unverified', actor_name: null, key_name: null } },
    ])
    await below.owner('DELETE', `/v1/domains/shop.${domain}`)
    expect(await logOf(node, above)).toMatchObject([lost, { type: 'domain.verified', ...foreign }])
  })

  it('is an event again when that team is deleted', async () => {
    const [above, below] = [await newTeam(node), await newTeam(node)]
    const domain = newName()
    await claim(node, above, domain, { proven: true })
    await claim(node, below, `shop.${domain}`, { proven: true })
    await claim(node, above, `shop.${domain}`)
    await below.owner('DELETE', `/v1/teams/${below.slug}`)
    expect(await logOf(node, above)).toMatchObject([
      { type: 'domain.verified', actorId: null, data: { domain: { domain: `shop.${domain}` } } },
    ])
    expect(await logOf(node, below)).toEqual([])
  })
})

it('the service’s checks create events without an actor', async () => {
  const team = await newTeam(node)
  const domain = newName()
  const id = await claim(node, team, domain)
  await prove(at, id)
  await checkAllDue(at)
  at.dns.set(`_svc.${domain}`, 'TXT', [])
  for (const days of [1, 2, 9, 10]) {
    node.clock.aheadMs = days * dayMs
    await checkAllDue(at)
  }
  node.clock.aheadMs = 0
  const byItself = { actorId: null, address: null, requestId: null }
  expect(await logOf(node, team)).toMatchObject([
    { type: 'domain.verified', ...byItself, data: { domain: { id, verified: true } } },
    { type: 'domain.unverified', ...byItself, data: { domain: { id, verified: false } } },
  ])
})
