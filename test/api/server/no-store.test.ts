/** Responses to a credential are private: no shared cache may store them (RFC 9111, section 5.2.2.5). */
import { beforeAll, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { exchange } from './raw-http.ts'

let node: TestNode
let authorization: string

beforeAll(async () => {
  node = await sharedNode()
  authorization = `Bearer ${(await newTeam(node)).ownerKey}`
})

const batched = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }))

type Call = { headers?: Record<string, string>; method?: string; anonymous?: true }

it.each<[number, string, Call?]>([
  [200, '/v1/projects'],
  [200, '/v1/overview', { headers: { origin: 'https://elsewhere.example' } }],
  [400, '/v1/projects?limit=0'],
  [401, '/v1/projects', { anonymous: true }],
  [404, '/v1/projects/nothing'],
  [404, '/nothing'],
  [405, '/v1/overview', { method: 'POST' }],
  [200, '/trpc/projects.list?input=%7B%7D'],
  [200, `/trpc/projects.list,teams.list?batch=1&input=${batched}`],
  [
    200,
    `/trpc/projects.list,teams.list?batch=1&input=${batched}`,
    { headers: { 'trpc-accept': 'application/jsonl' } },
  ],
  [401, '/trpc/projects.list?input=%7B%7D', { anonymous: true }],
  [404, '/trpc/projects.nothing'],
  [200, '/auth/get-session', { anonymous: true }],
])('%d at %s has no-store', async (status, path, { anonymous, headers, ...init } = {}) => {
  const response = await fetch(new URL(path, node.apiUrl), {
    ...init,
    headers: { ...headers, ...(!anonymous && { authorization }) },
  })
  await response.text()
  expect({ status: response.status, cache: response.headers.get('cache-control') }).toEqual({
    status,
    cache: 'no-store',
  })
})

it('a request that is refused as malformed has no-store, too', async () => {
  const fields = `Host: a\r\nHost: b\r\nAuthorization: ${authorization}`
  const twoHosts = `GET /v1/projects HTTP/1.1\r\n${fields}\r\n\r\n`
  for (const bytes of [twoHosts, 'GET nonsense\r\n\r\n']) {
    const { status, headers } = await exchange(node, bytes)
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 400, cache: 'no-store' })
  }
})
