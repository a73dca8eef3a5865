import { randomInt } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { isTRPCClientError } from '@trpc/client'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import type { Plan } from '../../../src/lib/plan.ts'
import { newToken } from '../../../src/platform/callers/token.ts'
import { signUploadUrl } from '../../../src/stores/blobs/upload-url.ts'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { sha256, upload } from '../../platform/deployments/steps.ts'
import { type Answer, apiOf } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { connectRaw, head } from './raw-http.ts'

const bursts = { free: 10, pro: 20, enterprise: 40, anonymous: 5 }

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({
    SVC_RATE_FREE: `1/${bursts.free}`,
    SVC_RATE_PRO: `1/${bursts.pro}`,
    SVC_RATE_ENTERPRISE: `1/${bursts.enterprise}`,
    SVC_RATE_ANONYMOUS: `1/${bursts.anonymous}`,
  })
})

afterAll(() => node.stop())

async function teamOn(plan: Plan): Promise<TestTeam> {
  const team = await newTeam(node)
  await node.installation.store.db.update(teams).set({ plan }).where(eq(teams.id, team.id))
  return team
}

const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call))

/** Drains the team's bucket; returns how many requests passed, and the seconds (rounded up) that it took. */
async function exhaust(call: () => Promise<{ status: number }>, burst: number) {
  const startMs = performance.now()
  const answers = await times(burst * 2, call)
  const seconds = Math.ceil((performance.now() - startMs) / 1_000)
  return { passed: answers.filter(({ status }) => status !== 429).length, seconds }
}

const list = (team: TestTeam) => () => team.owner('GET', '/v1/projects')

function expectLimited({ status, headers, body }: Answer): void {
  expect(status).toBe(429)
  expect(body).toEqual({
    code: 'TOO_MANY_REQUESTS',
    reason: 'rate_limited',
    message: expect.stringContaining('Try again in'),
    retry_after_ms: expect.any(Number),
    request_id: headers.get('x-request-id'),
  })
  expect(headers.get('retry-after')).toBe(String(Math.ceil(body.retry_after_ms / 1_000)))
}

/** The first refusal: a token may be refilled at any moment. */
async function refusalOf(call: () => Promise<Answer>): Promise<Answer> {
  for (let i = 0; i < bursts.enterprise * 2; i += 1) {
    const answer = await call()
    if (answer.status === 429) {
      expectLimited(answer)
      return answer
    }
  }
  return expect.unreachable('every request passed')
}

/** A local address that no other test uses. */
const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`

/** A URL that nobody has signed. */
const forgedUpload = (character: string) =>
  `/uploads/${'a'.repeat(64)}?team=team_${'0'.repeat(32)}&size=1&expires=99999999999999` +
  `&signature=${character.repeat(43)}`

type Call = { status: number; headers: IncomingHttpHeaders; body: unknown }

/** A request that comes from `localAddress`. */
function callFrom(
  localAddress: string,
  path: string,
  { method = 'GET', token }: { method?: string; token?: string } = {},
): Promise<Call> {
  const { port } = new URL(node.apiUrl)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers, localAddress, agent: false }
    const sent = request(options, async (response) => {
      const body = await json(response).catch(() => undefined)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
    sent.on('error', reject).end()
  })
}

describe('a team', () => {
  it.each(['free', 'pro', 'enterprise'] as const)(
    'on %s passes with exactly its burst at once',
    async (plan) => {
      const team = await teamOn(plan)
      const { passed, seconds } = await exhaust(list(team), bursts[plan])
      expect(passed).toBeGreaterThanOrEqual(bursts[plan])
      expect(passed).toBeLessThan(bursts[plan] + seconds)
    },
  )

  it.each<[number, string, string, unknown?]>([
    [200, 'GET', '/v1/projects'],
    [404, 'GET', '/v1/projects/none'],
    [400, 'POST', '/v1/deployments', '['],
    [404, 'POST', '/trpc/projects.none', {}],
  ])('gets its limit with every response: %d to %s %s', async (expected, method, path, body) => {
    const { status, headers } = await (await teamOn('pro')).owner(method, path, body)
    expect(status).toBe(expected)
    expect(headers.get('ratelimit-policy')).toBe('"pro";q=20;w=20')
    expect(headers.get('ratelimit')).toBe('"pro";r=19;t=1')
  })

  it('gets 429 past it, and passes after waiting as long as Retry-After says', async () => {
    const team = await teamOn('free')
    const { headers } = await refusalOf(list(team))
    expect(headers.get('ratelimit')).toBe('"free";r=0;t=10')
    await new Promise((resolve) => setTimeout(resolve, Number(headers.get('retry-after')) * 1_000))
    expect((await team.owner('GET', '/v1/projects')).status).toBe(200)
  })

  it('shares one bucket among all its keys, and none with another team', async () => {
    const [team, other] = [await teamOn('free'), await teamOn('free')]
    const member = await addMember(node, team)
    await exhaust(list(team), bursts.free)
    const { passed, seconds } = await exhaust(() => member.api('GET', '/v1/projects'), bursts.free)
    expect(passed).toBeLessThanOrEqual(seconds)
    expect((await other.owner('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"free";r=9;t=1')
  })

  it('gains nothing and waits no longer when the machine’s clock is changed', async () => {
    const team = await teamOn('free')
    await exhaust(list(team), bursts.free)
    for (const hours of [8, -8]) {
      node.clock.aheadMs = hours * 3_600_000
      const { passed, seconds } = await exhaust(list(team), bursts.free)
      expect(passed).toBeLessThanOrEqual(seconds)
      const { body } = await refusalOf(list(team))
      expect(body.retry_after_ms).toBeLessThanOrEqual(1_000)
    }
    node.clock.aheadMs = 0
  })
})

describe('a write that gets 429', () => {
  it('has no effect', async () => {
    const team = await teamOn('free')
    await exhaust(list(team), bursts.free)
    const names: string[] = []
    await refusalOf(() => {
      names.push(unique('site'))
      return team.owner('PUT', `/v1/projects/${names.at(-1)}`)
    })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const { data } = (await team.owner('GET', '/v1/projects')).body
    expect(data.map(({ name }: { name: string }) => name).toSorted()).toEqual(names.slice(0, -1).toSorted())
  })

  it('is refused before its body arrives', async () => {
    const team = await teamOn('free')
    await exhaust(list(team), bursts.free)
    const connection = await connectRaw(node)
    onTestFinished(() => void connection.socket.destroy())
    // A token that is refilled meanwhile is not enough for as many calls.
    const calls = Array.from({ length: bursts.free }, () => 'projects.put').join(',')
    const headers = [
      `Authorization: Bearer ${team.ownerKey}`,
      'Content-Type: application/json',
      'Content-Length: 1000000',
    ]
    connection.send(head(`POST /trpc/${calls}?batch=1`, ...headers))
    expect((await connection.answer()).status).toBe(429)
  })
})

describe('RPC', () => {
  it('draws from the same bucket, and reports the limit in its own format', async () => {
    const team = await teamOn('free')
    const { passed } = await exhaust(() => team.owner('GET', '/trpc/projects.list'), bursts.free)
    expect(passed).toBeGreaterThanOrEqual(bursts.free)
    await refusalOf(list(team))
    const client = createClient({ url: node.apiUrl, token: team.ownerKey, retry: false })
    // Three in one batch, for which a token that was refilled meanwhile is not enough.
    const errors = await times(3, () => client.projects.list.query({}).catch((thrown: unknown) => thrown))
    const error = errors.at(-1)
    expect(isTRPCClientError(error) && error.data).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      reason: 'rate_limited',
      httpStatus: 429,
      retry_after_ms: expect.any(Number),
    })
  })

  const batch = (calls: number) => {
    const names = Array.from({ length: calls }, () => 'projects.list').join(',')
    const input = JSON.stringify(Object.fromEntries(Array.from({ length: calls }, (_, i) => [i, {}])))
    return `/trpc/${names}?batch=1&input=${encodeURIComponent(input)}`
  }

  it('a batch draws once per call, all or nothing', async () => {
    const team = await teamOn('free')
    const first = await team.owner('GET', batch(7))
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"free";r=3;t=7'])
    const second = await team.owner('GET', batch(7))
    expect(second.status).toBe(429)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(3)
    expect((await team.owner('GET', batch(3))).status).toBe(200)
  })

  it.each([
    ['encoded commas', (path: string) => path.replaceAll(',', '%2C')],
    ['some commas encoded', (path: string) => path.replace(',', '%2c')],
    ['an encoded batch', (path: string) => path.replace('batch=1', '%62atch=%31')],
    ['a second batch', (path: string) => path.replace('batch=1', 'batch=1&batch=0')],
  ])('a batch cannot evade the limit when it comes with %s', async (_, spell) => {
    const team = await teamOn('free')
    const { headers } = await team.owner('GET', spell(batch(7)))
    expect(headers.get('ratelimit')).toBe('"free";r=3;t=7')
  })

  it.each([
    ['commas', batch(7).replaceAll(',', '%252C'), 9],
    ['some commas', batch(7).replace(',', '%252c'), 4],
    ['commas three times', batch(7).replaceAll(',', '%25252C'), 9],
    ['one dot', batch(7).replace('.', '%252e'), 3],
    ['a stream', '/trpc/events%252Efollow?input=%7B%7D', 9],
  ])('400 for names that are encoded twice, and nothing runs: %s', async (_, path, left) => {
    const team = await teamOn('free')
    const { status, headers, body } = await team.owner('GET', path)
    expect(status).toBe(400)
    expect(body.error.data).toMatchObject({ reason: 'malformed_request', httpStatus: 400 })
    expect(headers.get('ratelimit')).toMatch(`"free";r=${left};`)
  })

  it('400 for a batch that exceeds the whole burst', async () => {
    const team = await teamOn('free')
    const { status, headers, body } = await team.owner('GET', batch(11))
    expect(status).toBe(400)
    expect(body.error.data).toMatchObject({ reason: 'malformed_request' })
    expect(body.error.message).toContain('burst of 10')
    expect(headers.get('ratelimit')).toBe('"free";r=9;t=1')
  })
})

describe.concurrent('without a valid credential the address is limited', () => {
  it.each<[string, string, { method?: string; token?: () => string }]>([
    ['without any', '/v1/projects', {}],
    ['with random keys', '/v1/projects', { token: newToken }],
    ['with mistyped keys', '/v1/projects', { token: () => `${newToken().slice(0, -1)}!` }],
    ['in RPC', '/trpc/projects.list', { token: newToken }],
    ['in a batch', '/trpc/projects.list,projects.list?batch=1', {}],
    ['at unknown paths', '/admin.php', {}],
    ['with another method', '/v1/projects', { method: 'PATCH' }],
    ['with forged signatures of uploads', forgedUpload('a'), { method: 'PUT' }],
    ['with URLs of uploads that say nothing', `/uploads/${'a'.repeat(64)}`, { method: 'PUT' }],
  ])('%s', async (_, path, { method, token }) => {
    const address = newAddress()
    const call = () =>
      callFrom(address, path, { ...(method && { method }), ...(token && { token: token() }) })
    const { passed, seconds } = await exhaust(call, bursts.anonymous)
    expect(passed).toBeGreaterThanOrEqual(bursts.anonymous)
    expect(passed).toBeLessThan(bursts.anonymous + seconds)
    // A token may be refilled at any moment.
    const { headers } = await eventually(async () => {
      const refused = await call()
      expect(refused.status).toBe(429)
      return refused
    })
    expect(headers['ratelimit-policy']).toBe('"anonymous";q=5;w=5')
    expect(headers['allow']).toBeUndefined()
  })

  it.each(['/auth/providers', '/auth/link', '/auth/sign-in/email', '/auth/get-session'])(
    'also at the sign-in endpoints: %s',
    async (path) => {
      const address = newAddress()
      const method = path.endsWith('email') ? 'POST' : 'GET'
      const answers = await times(bursts.anonymous * 3, () => callFrom(address, path, { method }))
      expect(answers.map(({ status }) => status)).toContain(429)
    },
  )

  it('an unknown path draws from the address also with a valid key', async () => {
    const team = await teamOn('free')
    const { headers } = await callFrom(newAddress(), '/nothing', { token: team.ownerKey })
    expect(headers['ratelimit-policy']).toBe('"anonymous";q=5;w=5')
  })
})

describe('random keys from one address', () => {
  async function misses(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${node.internalPort}/metrics`)).text()
    return Number(/svc_cache_misses_total\{cache="keys"\} (\d+)/.exec(text)?.[1])
  }

  it('are looked up no more often than the address’s burst', async () => {
    const address = newAddress()
    const before = await misses()
    const startMs = performance.now()
    const answers = await times(100, () => callFrom(address, '/v1/projects', { token: newToken() }))
    const seconds = Math.ceil((performance.now() - startMs) / 1_000)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect((await misses()) - before).toBeLessThanOrEqual(bursts.anonymous + seconds)
  })

  it('let a valid key that is cached pass from there, and other addresses', async () => {
    const address = newAddress()
    const team = await teamOn('enterprise')
    // A change elsewhere in the database keeps a key that is looked up meanwhile from being cached.
    await eventually(async () => {
      const before = await misses()
      await callFrom(newAddress(), '/v1/projects', { token: team.ownerKey })
      expect(await misses()).toBe(before)
    })
    await exhaust(() => callFrom(address, '/v1/projects', { token: newToken() }), bursts.anonymous)
    expect((await callFrom(address, '/v1/projects', { token: team.ownerKey })).status).toBe(200)
    expect((await callFrom(newAddress(), '/v1/projects')).status).toBe(401)
  })

  it('make a valid key that is not cached yet wait for as long as Retry-After says', async () => {
    const address = newAddress()
    const team = await teamOn('free')
    await exhaust(() => callFrom(address, '/v1/projects', { token: newToken() }), bursts.anonymous)
    const withKey = () => callFrom(address, '/v1/projects', { token: team.ownerKey })
    const refused = await withKey()
    expect(refused).toMatchObject({ status: 429, body: { reason: 'rate_limited' } })
    await new Promise((resolve) => setTimeout(resolve, Number(refused.headers['retry-after']) * 1_000))
    expect((await withKey()).status).toBe(200)
  })

  it('while any number of valid keys pass at once from an address without failures', async () => {
    const address = newAddress()
    const teams = await times(bursts.anonymous * 3, () => teamOn('free'))
    const answers = await Promise.all(
      teams.map(({ ownerKey }) => callFrom(address, '/v1/projects', { token: ownerKey })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // None of them drew from the address's bucket.
    expect((await callFrom(address, '/v1/projects')).headers['ratelimit']).toBe('"anonymous";r=4;t=1')
  })
})

describe('requests that draw from no bucket', () => {
  it.each(['/healthz', '/readyz', '/openapi.json', '/docs'])('%s', async (path) => {
    const address = newAddress()
    await exhaust(() => callFrom(address, '/v1/projects'), bursts.anonymous)
    for (const { status, headers } of await times(bursts.anonymous * 2, () => callFrom(address, path))) {
      expect(status).toBe(200)
      expect(headers['ratelimit']).toBeUndefined()
    }
  })

  it('signed uploads', async () => {
    const team = await teamOn('free')
    const contents = Array.from({ length: bursts.free + 5 }, (_, i) => `content ${i}`)
    const uploads = contents.map((content) => {
      const blob = { teamId: team.id, sha256: sha256(content), size: content.length }
      const uploadKey = node.installation.keys.uploads
      return upload(signUploadUrl({ apiUrl: node.apiUrl, uploadKey }, blob, Date.now()), content)
    })
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(contents.map(() => 200))
    expect((await team.owner('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"free";r=9;t=1')
  })
})

it('every operation in the document lists 429 and its headers', async () => {
  const { body } = await apiOf(node)('GET', '/openapi.json')
  for (const item of Object.values<Record<string, { responses: Record<string, { headers: object }> }>>(
    body.paths,
  )) {
    for (const { responses } of Object.values(item)) {
      expect(Object.keys(responses[429]?.headers ?? {})).toEqual(
        expect.arrayContaining(['retry-after', 'RateLimit', 'RateLimit-Policy']),
      )
      expect(Object.keys(responses[200]?.headers ?? {})).toContain('RateLimit')
    }
  }
})
