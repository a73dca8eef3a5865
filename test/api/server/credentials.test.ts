import { beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../../../src/platform/callers/token.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { operationsOf } from './operations-of.ts'

let node: TestNode
let team: TestTeam
let calls: { method: string; path: string }[]

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  calls = (await operationsOf(node)).flatMap(({ method, template, procedure }) => [
    { method, path: template.replaceAll(/\{\w+\}/g, 'some') },
    { method: method === 'GET' ? 'GET' : 'POST', path: `/trpc/${procedure}` },
  ])
})

/** A refusal without the fields that differ between responses. */
async function refusal(method: string, path: string, headers: Record<string, string>, body?: string) {
  const response = await fetch(new URL(path, node.apiUrl), {
    method,
    headers: { ...(method !== 'GET' && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  })
  const answer = Object(await response.json())
  const { request_id, httpStatus, ...details } = answer.error?.data ?? answer
  expect(request_id).toBe(response.headers.get('x-request-id'))
  expect(response.headers.get('cache-control')).toBe('no-store')
  return {
    status: response.status,
    authenticate: response.headers.get('www-authenticate'),
    ...details,
  }
}

const exchanges = ['/v1/token', '/trpc/tokens.mint']

const unauthorized = {
  status: 401,
  authenticate: 'Bearer',
  code: 'UNAUTHORIZED',
  reason: 'unauthorized',
  message: expect.any(String),
}

describe('401 for every operation, as REST and as RPC', () => {
  it('without a credential', async () => {
    expect(calls.length).toBeGreaterThanOrEqual(24)
    for (const { method, path } of calls) {
      expect({ path, ...(await refusal(method, path, {})) }).toEqual({ path, ...unauthorized })
    }
  })

  it('with an unknown key', async () => {
    const authorization = `Bearer ${newToken()}`
    for (const { method, path } of calls) {
      expect({ path, ...(await refusal(method, path, { authorization })) }).toEqual({ path, ...unauthorized })
    }
  })

  it('before the body is parsed', async () => {
    for (const { method, path } of calls) {
      // The body of the exchange may hold the credential: an identity token.
      if (method === 'GET' || exchanges.includes(path)) continue
      expect({ path, ...(await refusal(method, path, {}, '{')) }).toEqual({ path, ...unauthorized })
      const gzip = { 'content-encoding': 'gzip', 'content-type': 'text/plain' }
      expect({ path, ...(await refusal(method, path, gzip, 'x')) }).toEqual({ path, ...unauthorized })
    }
  })
})

it.each(exchanges)('401 for %s with a body that holds no credential', async (path) => {
  for (const body of ['{}', '{"team":"acme"}', `{"team":"${'a'.repeat(40_000)}"}`]) {
    expect(await refusal('POST', path, {}, body)).toEqual(unauthorized)
  }
  // A longer one than an identity token takes is not even parsed.
  expect(await refusal('POST', path, {}, `{${'a'.repeat(40_000)}`)).toEqual(unauthorized)
})

it('401 with the same body, whatever is wrong with the credential', async () => {
  const revoked = await team.owner('POST', '/v1/apikeys', { name: 'short-lived' })
  await team.owner('DELETE', `/v1/apikeys/${revoked.body.id}`)
  const details = new Set<string>()
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Basic ${btoa(`key:${team.ownerKey}`)}`,
    team.ownerKey,
    `Bearer ${team.ownerKey},${team.ownerKey}`,
    `Bearer "${team.ownerKey}"`,
    `Bearer ${newToken()}`,
    `Bearer ${revoked.body.token}`,
    `Bearer ${'a'.repeat(10_000)}`,
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.',
    "Bearer ' or 1=1 --",
  ]) {
    const answer = await refusal('GET', '/v1/projects', { authorization })
    expect(answer).toEqual(unauthorized)
    details.add(JSON.stringify(answer))
  }
  expect(details.size).toBe(1)
})

it('401 token_malformed for a mistyped key, without a look-up', async () => {
  const mistyped = team.ownerKey.slice(0, -1) + (team.ownerKey.endsWith('a') ? 'b' : 'a')
  expect(await refusal('GET', '/v1/projects', { authorization: `Bearer ${mistyped}` })).toEqual({
    ...unauthorized,
    reason: 'token_malformed',
  })
})

it.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('the scheme is case-insensitive: %j', async (scheme) => {
  const headers = { authorization: `${scheme} ${team.ownerKey}` }
  expect((await fetch(new URL('/v1/projects', node.apiUrl), { headers })).status).toBe(200)
})

it.each(['access_token', 'token', 'api_key', 'authorization'])(
  'a credential in the query is ignored: %s',
  async (name) => {
    expect(await refusal('GET', `/v1/projects?${name}=${team.ownerKey}`, {})).toEqual(unauthorized)
  },
)

it('no key is in the log', () => {
  expect(node.logged.join('')).not.toContain(team.ownerKey.slice(10))
})
