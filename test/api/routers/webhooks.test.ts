/** What a client can rely on about webhooks. */
import { and, asc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unseal } from '../../../src/stores/data-dir/seal.ts'
import { events } from '../../../src/stores/db/schema/events.ts'
import { webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { dumpTables } from '../../support/dump.ts'
import type { TestNode } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  return () => node.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
})

const wanted = { url: 'https://hooks.example.com/a?b=c', events: ['project.created', 'key.created'] }

const create = (input: object = wanted, of = team) => of.owner('POST', '/v1/webhooks', input)

const types = async (of = team) => {
  const rows = await node.installation.store.db
    .select({ type: events.type })
    .from(events)
    .where(eq(events.teamId, of.id))
    .orderBy(asc(events.id))
  return rows.map(({ type }) => type)
}

describe('POST /v1/webhooks', () => {
  it('creates one, with a secret that is returned once and stored sealed', async () => {
    const { status, body } = await create()
    expect(status).toBe(200)
    const { secret, ...webhook } = body
    expect(webhook).toEqual({
      id: expect.stringMatching(/^hook_[0-9a-f]{32}$/),
      format: 'standard',
      ...wanted,
      projects: null,
      enabled: true,
      disabled_reason: null,
      failing_since_ms: null,
      created_ms: expect.any(Number),
      last_delivery_ms: null,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await team.owner('GET', `/v1/webhooks/${webhook.id}`)).body).not.toHaveProperty('secret')
    expect(JSON.stringify(await dumpTables(node))).not.toContain(secret.slice(6))
    const [row] = await node.installation.store.db.select().from(webhooks).where(eq(webhooks.id, webhook.id))
    const { webhooks: key } = node.installation.keys
    expect(unseal(key, webhook.id, row?.sealedSecret ?? '')).toBe(secret)
    // Nor is it another webhook's, were it moved there.
    expect(() => unseal(key, 'hook_other', row?.sealedSecret ?? '')).toThrow()
  })

  it('leaves the path of its address out of the trail, also of what earlier versions kept', async () => {
    const { db } = node.installation.store
    const url = `${wanted.url}&token=in-the-query`
    const { body: made } = await create({ ...wanted, url })
    const pings = await db.select().from(events).where(eq(events.type, 'webhook.ping'))
    const of = pings.filter(({ teamId }) => teamId === team.id)
    expect(of.map(({ data }) => data)).toEqual([{ webhook: { id: made.id, url: new URL(url).origin } }])
    const earlier = { webhook: { id: made.id, url } }
    await db
      .update(events)
      .set({ data: earlier })
      .where(and(eq(events.teamId, team.id), eq(events.type, 'webhook.ping')))
    const { body } = await team.owner('GET', '/v1/logs?kind=audit')
    expect(JSON.stringify(body)).toContain(`pinged ${made.id} at ${new URL(url).origin}`)
    expect(JSON.stringify(body)).not.toContain('in-the-query')
  })

  it('queues a webhook.ping to it alone', async () => {
    const { body: first } = await create({ ...wanted, events: ['webhook.ping'] })
    const { body: second } = await create()
    expect((await types()).toSorted()).toEqual([
      ...['webhook.created', 'webhook.created'],
      ...['webhook.ping', 'webhook.ping'],
    ])
    for (const { id } of [first, second]) {
      const { deliveries } = (await team.owner('GET', `/v1/webhooks/${id}`)).body
      expect(deliveries).toMatchObject([{ status: 'pending', attempts: 0, http_status: null, error: null }])
    }
  })

  it('for some projects, by name or id', async () => {
    const { body: web } = await team.owner('PUT', '/v1/projects/web')
    await team.owner('PUT', '/v1/projects/docs')
    const { body } = await create({ ...wanted, projects: [web.id, 'docs', 'web'] })
    expect(body.projects).toEqual(['docs', 'web'])
    await team.owner('PUT', '/v1/projects/web', { name: 'site' })
    const read = () => team.owner('GET', `/v1/webhooks/${body.id}`)
    expect((await read()).body.projects).toEqual(['docs', 'site'])
    for (const name of ['docs', 'site']) await team.owner('DELETE', `/v1/projects/${name}`)
    expect((await read()).body.projects).toEqual([])
    // A new one of the same name is another project.
    await team.owner('PUT', '/v1/projects/docs')
    expect((await read()).body).toMatchObject({ projects: [], deliveries: [{ attempts: 0 }] })
  })

  it("404 for an unknown project, also for another team's", async () => {
    const other = await newTeam(node)
    const { body: theirs } = await other.owner('PUT', '/v1/projects/theirs')
    for (const reference of ['none', theirs.id, 'theirs']) {
      const { status, body } = await create({ ...wanted, projects: [reference] })
      expect([status, body.reason]).toEqual([404, 'project_not_found'])
      expect(body.message).toContain(reference)
    }
    expect(await types()).toEqual([])
  })

  it.each([
    [{ ...wanted, url: 'http://example.com' }, 'url', 'must be https, unless the operator'],
    [{ ...wanted, url: 'https://169.254.169.254/latest/meta-data' }, 'url', 'not a public address'],
    [{ ...wanted, url: 'https://[::ffff:7f00:1]/' }, 'url', 'not a public address'],
    [{ ...wanted, url: 'https://2130706433/' }, 'url', 'not a public address'],
    [{ ...wanted, url: 'https://localhost/' }, 'url', 'not a public name, unless the operator'],
    [{ ...wanted, url: 'https://localhost/#a' }, 'url', 'must not have a fragment'],
    [{ ...wanted, url: 'https://example.com:22/' }, 'url', '443 or 8443'],
    [{ ...wanted, url: `https://example.com/${'a'.repeat(2_000)}` }, 'url', ''],
    [{ ...wanted, events: [] }, 'events', ''],
    [{ ...wanted, events: ['project.created', 'project.created'] }, 'events', 'duplicates'],
    [{ ...wanted, events: ['project.exploded'] }, 'events.0', ''],
    [{ url: wanted.url }, 'events', ''],
    [{ ...wanted, projects: [] }, 'projects', ''],
    [{ ...wanted, secret: 'whsec_AAAA' }, 'secret', ''],
    [{ ...wanted, format: 'teams' }, 'format', ''],
    [{ format: 'slack' }, 'url', 'is required'],
    [{ format: 'discord', url: 'https://127.0.0.1/x' }, 'url', 'not a public address'],
    [{ ...wanted, format: 'mail' }, 'url', 'must be left out'],
    [{ format: 'mail' }, 'format', 'SVC_SMTP_URL'],
  ])('400 for %j, naming %s', async (input, path, message) => {
    const { status, body } = await create(input)
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues[0].path).toBe(path)
    expect(body.message).toContain(message)
  })

  it('409 for the 51st, also for concurrent calls', async () => {
    for (let made = 0; made < 48; made += 1) expect((await create()).status).toBe(200)
    const last = await Promise.all([create(), create(), create(), create()])
    expect(last.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect((await create()).body).toMatchObject({ reason: 'too_many_webhooks' })
    const { body } = await team.owner('GET', '/v1/overview')
    expect(body.webhooks).toBe(50)
  })

  it('403 for a member, who may read', async () => {
    const { body } = await create()
    const { api: member } = await addMember(node, team)
    expect(await member('POST', '/v1/webhooks', wanted)).toMatchObject({
      status: 403,
      body: { reason: 'role_required' },
    })
    expect((await member('DELETE', `/v1/webhooks/${body.id}`)).status).toBe(403)
    expect((await member('GET', '/v1/webhooks')).body.data).toHaveLength(1)
    expect((await member('GET', `/v1/webhooks/${body.id}`)).body.deliveries).toHaveLength(1)
  })
})

describe('GET /v1/webhooks', () => {
  it('lists the newest first, page by page', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made += 1) ids.unshift((await create()).body.id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await team.owner('GET', `/v1/webhooks?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor
    }
    expect(seen).toHaveLength(5)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })
})

describe('GET /v1/webhooks/{webhook}', () => {
  it('has the latest 20 deliveries', async () => {
    const { body } = await create()
    for (let index = 0; index < 21; index += 1) await team.owner('PUT', `/v1/projects/p-${index}`)
    const { deliveries } = (await team.owner('GET', `/v1/webhooks/${body.id}`)).body
    expect(deliveries).toHaveLength(20)
    expect(deliveries.every(({ status }: { status: string }) => status === 'pending')).toBe(true)
  })

  it.each(['hook_0', 'none', 'hook_00000000000000000000000000000000'])('404 for %s', async (id) => {
    for (const method of ['GET', 'DELETE']) {
      expect(await team.owner(method, `/v1/webhooks/${id}`)).toMatchObject({
        status: 404,
        body: { reason: 'webhook_not_found' },
      })
    }
  })
})

it('DELETE /v1/webhooks/{webhook} removes it with its deliveries', async () => {
  const { body } = await create()
  expect((await team.owner('DELETE', `/v1/webhooks/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
  expect((await team.owner('DELETE', `/v1/webhooks/${body.id}`)).status).toBe(404)
  expect((await team.owner('GET', '/v1/webhooks')).body.data).toEqual([])
})
