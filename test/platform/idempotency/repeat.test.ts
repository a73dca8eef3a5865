/** What a client can rely on that repeats a POST with its Idempotency-Key. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { restProcedures } from '../../../src/api/server/calls/procedures.ts'
import { takeClaim } from '../../../src/platform/idempotency/claims.ts'
import { digestOf } from '../../../src/platform/idempotency/once.ts'
import { idempotencyKeys } from '../../../src/stores/db/schema/idempotency.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { claim } from '../../support/claims.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { byDigest, upload } from '../deployments/steps.ts'

const hourMs = 60 * 60 * 1000

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  return () => node.stop()
})

beforeAll(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

afterEach(() => {
  node.clock.aheadMs = 0
})

const site = { project: 'web', files: [{ path: 'index.html', content: 'Hello' }] }

const post = (api: Api, path: string, body: unknown, key: string) =>
  api('POST', path, body, { 'idempotency-key': key })

const create = (key: string, body: unknown = site) => post(team.owner, '/v1/deployments', body, key)

async function countOf(path: string, of = team): Promise<number> {
  return (await of.owner('GET', `${path}?limit=100`)).body.data.length
}

/** How many more there are at `path` after the work. */
async function added(path: string, work: () => Promise<unknown>): Promise<number> {
  const before = await countOf(path)
  await work()
  return (await countOf(path)) - before
}

describe('a POST that is repeated with its Idempotency-Key', () => {
  it('is tested below for each of these', () => {
    // A response that is nothing but a secret isn't stored.
    const posts = restProcedures().filter(({ method, name }) => method === 'POST' && name !== 'tokens.mint')
    const expected = [
      'deployments.create',
      'deployments.promote',
      'dns.create',
      'domains.verify',
      'tokens.createKey',
      'webhooks.create',
    ]
    expect(posts.map(({ name }) => name).toSorted()).toEqual(expected)
  })

  it('creates one deployment, and returns the first response again', async () => {
    const key = randomUUID()
    const count = await added('/v1/deployments', async () => {
      const first = await create(key)
      expect(first.status).toBe(200)
      const again = await create(key)
      expect(again).toMatchObject({ status: 200, body: first.body })
      expect((await team.owner('GET', `/v1/deployments/${first.body.id}`)).body).toEqual(first.body)
    })
    expect(count).toBe(1)
  })

  it('promotes once: the first response is returned though another is live by now', async () => {
    const { body: one } = await create(randomUUID())
    const { body: other } = await create(randomUUID())
    const promote = (id: string, key: string) =>
      post(team.owner, `/v1/deployments/${id}/promote`, undefined, key)
    const key = randomUUID()
    const first = await promote(one.id, key)
    expect(first.body).toMatchObject({ id: one.id, live: true, aliases: [expect.any(String)] })
    await promote(other.id, randomUUID())
    expect(await promote(one.id, key)).toMatchObject({ status: 200, body: first.body })
    expect((await team.owner('GET', `/v1/deployments/${other.id}`)).body.live).toBe(true)
    expect(await promote(other.id, key)).toMatchObject({ body: { reason: 'idempotency_key_reused' } })
  })

  it('verifies once: the first response is returned though there was another check since', async () => {
    const domain = `${unique('repeated')}.com`
    await claim(node, team, domain)
    const verify = (key: string) => post(team.owner, `/v1/domains/${domain}/verify`, undefined, key)
    const key = randomUUID()
    const first = await verify(key)
    expect(first).toMatchObject({ status: 200, body: { domain, error: { reason: 'resolver_failed' } } })
    expect((await verify(randomUUID())).body.checked_ms).toBeGreaterThan(first.body.checked_ms)
    expect((await verify(key)).body).toEqual(first.body)
  })

  it('creates one API key, whose token is in the first response only and stored nowhere', async () => {
    const key = randomUUID()
    const count = await added('/v1/apikeys', async () => {
      const first = await post(team.owner, '/v1/apikeys', { name: 'ci' }, key)
      const { token, ...record } = first.body
      expect(token).toMatch(/^svc_/)
      expect(await post(team.owner, '/v1/apikeys', { name: 'ci' }, key)).toMatchObject({ status: 200 })
      expect((await post(team.owner, '/v1/apikeys', { name: 'ci' }, key)).body).toEqual(record)
      const rows = await node.installation.store.db.select().from(idempotencyKeys)
      expect(JSON.stringify(rows)).toContain(record.id)
      expect(JSON.stringify(rows)).not.toContain(token.slice(10, 20))
      expect((await apiOf(node, token)('GET', '/v1/projects')).status).toBe(200)
    })
    expect(count).toBe(1)
  })

  it('creates one webhook, whose secret is in the first response only, and pings it once', async () => {
    const key = randomUUID()
    const webhook = { url: 'https://hooks.example.com/', events: ['project.created'] }
    const count = await added('/v1/webhooks', async () => {
      const first = await post(team.owner, '/v1/webhooks', webhook, key)
      const { secret, ...record } = first.body
      expect(secret).toMatch(/^whsec_/)
      expect((await post(team.owner, '/v1/webhooks', webhook, key)).body).toEqual(record)
      const rows = await node.installation.store.db.select().from(idempotencyKeys)
      expect(JSON.stringify(rows)).toContain(record.id)
      expect(JSON.stringify(rows)).not.toContain(secret.slice(10, 20))
      expect((await team.owner('GET', `/v1/webhooks/${record.id}`)).body.deliveries).toHaveLength(1)
    })
    expect(count).toBe(1)
  })

  it('creates one DNS record, where a second of its kind would be a conflict', async () => {
    const domain = `${unique('repeat')}.com`
    await claim(node, team, domain)
    const key = randomUUID()
    const path = `/v1/domains/${domain}/records`
    const record = { name: 'www', type: 'A', value: '192.0.2.1' }
    const count = await added(path, async () => {
      const first = await post(team.owner, path, record, key)
      expect(first.status).toBe(200)
      expect(await post(team.owner, path, record, key)).toMatchObject({ status: 200, body: first.body })
      expect(await post(team.owner, path, record, randomUUID())).toMatchObject({
        status: 409,
        body: { reason: 'record_conflict' },
      })
    })
    expect(count).toBe(1)
  })

  it('is the same in whatever order its fields are, and with an explicit default', async () => {
    const key = randomUUID()
    const meta = { branch: 'main', commit: 'c0ffee' }
    const first = await create(key, { ...site, meta })
    const files = [{ content: 'Hello', path: 'index.html' }]
    const reordered = { files, meta: { commit: 'c0ffee', branch: 'main' }, target: 'preview', project: 'web' }
    expect((await create(key, reordered)).body).toEqual(first.body)
  })

  it.each([
    ['a field differs', { ...site, target: 'production' }],
    ['there is an extra field', { ...site, meta: { branch: 'main' } }],
    ['there is an extra item', { ...site, files: [...site.files, { path: 'a', content: '' }] }],
  ])('409 idempotency_key_reused if %s', async (_what, body) => {
    const key = randomUUID()
    await create(key)
    const count = await added('/v1/deployments', async () => {
      const { status, body: error } = await create(key, body)
      expect({ status, reason: error.reason }).toEqual({ status: 409, reason: 'idempotency_key_reused' })
    })
    expect(count).toBe(0)
  })

  it('50 at once create one; the others get a 409 to wait, or its response', async () => {
    const key = randomUUID()
    const all = () => Promise.all(Array.from({ length: 50 }, () => create(key)))
    const count = await added('/v1/deployments', async () => {
      const answers = await all()
      const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.id)
      expect(ids.length).toBeGreaterThan(0)
      for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
        expect([status, body.reason]).toEqual([409, 'idempotency_in_progress'])
      }
      const later = (await all()).map(({ body }) => body.id)
      expect(new Set([...ids, ...later]).size).toBe(1)
    })
    expect(count).toBe(1)
  })

  it('returns the first response for 24 hours, then is a new request', async () => {
    const key = randomUUID()
    const { body: first } = await create(key)
    node.clock.aheadMs = 24 * hourMs - 60_000
    expect((await create(key)).body).toEqual(first)
    node.clock.aheadMs = 24 * hourMs + 60_000
    const { body: next } = await create(key)
    expect(next.id).not.toBe(first.id)
    expect((await create(key)).body.id).toBe(next.id)
  })

  it('returns the first response even when the clock has jumped by a year', async () => {
    const key = randomUUID()
    const { body: first } = await create(key)
    node.clock.aheadMs = 365 * 24 * hourMs
    expect((await create(key)).body).toEqual(first)
    // A dead call's claim is released all the same.
    expect((await create(randomUUID())).status).toBe(200)
  })
})

describe('the same key', () => {
  it('of another team, another caller or for another operation is independent', async () => {
    const key = randomUUID()
    const { body: mine } = await create(key)

    const other = await newTeam(node)
    await other.owner('PUT', '/v1/projects/web')
    const theirs = await post(other.owner, '/v1/deployments', { ...site, target: 'production' }, key)
    expect(theirs.status).toBe(200)

    const member = await addMember(node, team)
    const colleague = await post(member.api, '/v1/deployments', site, key)
    const again = await post(member.api, '/v1/deployments', site, key)
    expect(again.body).toEqual(colleague.body)
    const apikey = await post(team.owner, '/v1/apikeys', { name: 'ci' }, key)
    expect(apikey.status).toBe(200)
    const ids = [mine.id, theirs.body.id, colleague.body.id, apikey.body.id]
    expect(new Set(ids).size).toBe(4)
  })

  it('is shared by all API keys of a user', async () => {
    const key = randomUUID()
    const { body } = await team.owner('POST', '/v1/apikeys', { name: 'second', role: 'owner' })
    const second = apiOf(node, body.token)
    expect((await post(second, '/v1/deployments', site, key)).body).toEqual((await create(key)).body)
  })
})

describe('a refusal releases the key', () => {
  it.each([
    ['400 invalid_input', '/v1/deployments', { ...site, files: [{ path: '../a', content: '' }] }, site],
    ['404 project_not_found', '/v1/deployments', { ...site, project: 'gone' }, site],
    ['400 for an unknown field', '/v1/apikeys', { name: 'a', scopes: [] }, { name: 'a' }],
  ])('%s', async (what, path, bad, good) => {
    const key = randomUUID()
    const refused = await post(team.owner, path, bad, key)
    expect(`${refused.status}`).toBe(what.slice(0, 3))
    expect((await post(team.owner, path, good, key)).status).toBe(200)
  })

  it('400 files_missing: the same request succeeds once the files are uploaded', async () => {
    const key = randomUUID()
    const body = { project: 'web', files: [byDigest('key.txt', key)] }
    const missing = await create(key, body)
    expect(missing).toMatchObject({ status: 400, body: { reason: 'files_missing' } })
    await upload(missing.body.missing[0].upload_url, key)
    const made = await create(key, body)
    expect(made.status).toBe(200)
    expect((await create(key, body)).body).toEqual(made.body)
  })

  it('403 role_required: the member may request less', async () => {
    const { api } = await addMember(node, team)
    const key = randomUUID()
    expect((await post(api, '/v1/apikeys', { name: 'a', role: 'owner' }, key)).status).toBe(403)
    expect((await post(api, '/v1/apikeys', { name: 'a', role: 'member' }, key)).status).toBe(200)
  })

  it('401: the key is not stored', async () => {
    const key = randomUUID()
    expect((await post(apiOf(node, 'svc_no'), '/v1/deployments', site, key)).status).toBe(401)
    expect((await create(key, { ...site, target: 'production' })).status).toBe(200)
  })
})

describe('while the first request runs', () => {
  /** A call on another node that has claimed the key and not ended yet. */
  async function claimed(key: string) {
    const input = { ...site, target: 'preview', meta: {} }
    const scope = { teamId: team.id, userId: team.ownerId, operation: 'deployments.create', key }
    await takeClaim(node.installation.store.db, scope, digestOf(input), {
      nowMs: Date.now(),
      isClockBelieved: true,
    })
  }

  it('409 idempotency_in_progress, and for another body idempotency_key_reused', async () => {
    const key = randomUUID()
    await claimed(key)
    expect(await create(key)).toMatchObject({ status: 409, body: { reason: 'idempotency_in_progress' } })
    expect(await create(key, { ...site, meta: { a: 'b' } })).toMatchObject({
      status: 409,
      body: { reason: 'idempotency_key_reused' },
    })
  })

  it('a repeat takes over when it has not ended after a minute', async () => {
    const key = randomUUID()
    await claimed(key)
    node.clock.aheadMs = 58_000
    expect((await create(key)).status).toBe(409)
    node.clock.aheadMs = 61_000
    expect((await create(key)).status).toBe(200)
  })
})

describe('the header', () => {
  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space', 'two words'],
    ['with a letter outside of ASCII', 'schlüssel'],
  ])('%s: 400 that names it', async (_what, key) => {
    const { status, body } = await create(key)
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues[0].path).toBe('Idempotency-Key')
    expect(body.message).toMatch(/^Idempotency-Key: must be 1 to 255/)
  })

  it.each(['k', 'k'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '~!@#$%^&*()'])(
    'may be %s',
    async (key) => {
      expect((await create(key)).status).toBe(200)
    },
  )

  it('twice: 400', async () => {
    const twice = { 'idempotency-key': 'a', 'Idempotency-Key': 'b' }
    expect((await team.owner('POST', '/v1/deployments', site, twice)).status).toBe(400)
  })

  it('on GET, PUT and DELETE has no effect, whatever it is', async () => {
    const headers = { 'idempotency-key': 'two words' }
    const { body: first } = await team.owner('PUT', '/v1/projects/other', { spa: true }, headers)
    const { body: second } = await team.owner('PUT', '/v1/projects/other', { spa: false }, headers)
    expect([first.spa, second.spa]).toEqual([true, false])
    expect((await team.owner('GET', '/v1/projects/other', undefined, headers)).status).toBe(200)
    expect((await team.owner('DELETE', '/v1/projects/other', undefined, headers)).status).toBe(200)
    expect((await team.owner('DELETE', '/v1/projects/other', undefined, headers)).status).toBe(404)
  })
})
