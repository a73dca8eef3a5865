/** What a credential gets is for who has it: no cache in between may keep an answer (RFC 9111, section 5.2.2.5). */
import { expect, it } from 'vitest'
import { sharedNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { exchange } from './raw-http.ts'

const node = await sharedNode()
const { ownerKey } = await newTeam(node)
const authorization = `Bearer ${ownerKey}`

const batched = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }))

it.each<[number, string, RequestInit]>([
  [200, '/v1/projects', { headers: { authorization } }],
  [200, '/v1/overview', { headers: { authorization, origin: 'https://elsewhere.example' } }],
  [400, '/v1/projects?limit=0', { headers: { authorization } }],
  [401, '/v1/projects', {}],
  [404, '/v1/projects/nothing', { headers: { authorization } }],
  [404, '/nothing', { headers: { authorization } }],
  [405, '/v1/overview', { headers: { authorization }, method: 'POST' }],
  [200, '/trpc/projects.list?input=%7B%7D', { headers: { authorization } }],
  [200, `/trpc/projects.list,teams.list?batch=1&input=${batched}`, { headers: { authorization } }],
  [
    200,
    `/trpc/projects.list,teams.list?batch=1&input=${batched}`,
    { headers: { authorization, 'trpc-accept': 'application/jsonl' } },
  ],
  [401, '/trpc/projects.list?input=%7B%7D', {}],
  [404, '/trpc/projects.nothing', { headers: { authorization } }],
  [200, '/auth/get-session', {}],
])('%d at %s says no-store', async (status, path, init) => {
  const response = await fetch(new URL(path, node.apiUrl), init)
  await response.text()
  expect({ status: response.status, cache: response.headers.get('cache-control') }).toEqual({
    status,
    cache: 'no-store',
  })
})

it('a request that is refused on the wire does, too', async () => {
  const twoHosts = `GET /v1/projects HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: ${authorization}\r\n\r\n`
  for (const bytes of [twoHosts, 'GET nonsense\r\n\r\n']) {
    const { status, headers } = await exchange(node, bytes)
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 400, cache: 'no-store' })
  }
})
