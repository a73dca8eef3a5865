/** What a node logs of requests: enough to find each one again, and no credentials. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newToken } from '../../../src/platform/callers/token.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { newBrowser } from '../../support/browser.ts'
import type { TestNode } from '../../support/node.ts'
import { callsOf, newPerson, signIn } from '../../support/person.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
})

afterAll(() => node.stop())

/** The log lines of a request. */
const linesOf = (requestId: string | null) =>
  node.logged.map((line) => JSON.parse(line)).filter((line) => line.request_id === requestId)

const get = (path: string, headers: Record<string, string> = {}) => fetch(node.apiUrl + path, { headers })

it('one line for each request, with the id in its response', async () => {
  const authorization = `Bearer ${team.ownerKey}`
  const answer = await get('/v1/projects?limit=3', { authorization })
  expect(linesOf(answer.headers.get('x-request-id'))).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      request_id: expect.stringMatching(/^req_/),
      method: 'GET',
      host: new URL(node.apiUrl).host,
      path: '/v1/projects',
      status: 200,
      ms: expect.any(Number),
      address: '127.0.0.1',
      team: team.id,
      key: expect.stringMatching(/^key_/),
    },
  ])
})

it("the client's own id, unless that is a credential", async () => {
  expect((await get('/healthz', { 'x-request-id': 'trace-4711' })).headers.get('x-request-id')).toBe(
    'trace-4711',
  )
  expect(linesOf('trace-4711').length).toBe(1)
  const { headers } = await get('/healthz', { 'x-request-id': team.ownerKey })
  expect(headers.get('x-request-id')).toMatch(/^req_/)
})

it('a path without a credential that a client put into it', async () => {
  const token = newToken()
  for (const path of [
    `/v1/projects/${token}`,
    `/v2/${token}`,
    `/trpc/${token}`,
    `/v1/projects/x%20${token}`,
    `/v1/projects/%73${token.slice(1)}`,
    `/v2/${token.replace('_', '%5F')}`,
    `/v2/${token.replace('_', '%255f')}?x=%73${token.slice(1)}`,
  ]) {
    const { headers } = await get(path)
    const [line] = linesOf(headers.get('x-request-id'))
    expect(line.path).toContain('svc_…')
    expect(JSON.stringify(line)).not.toContain(token.slice(10))
  }
})

it('every line after the start, except those of recurring tasks, belongs to a request', async () => {
  const person = await newPerson(node)
  await callsOf(node, newBrowser())('POST', '/sign-in/email', { ...person, password: 'not the password' })
  await signIn(node, person)
  const lines = node.logged.map((line) => JSON.parse(line))
  const first = lines.findIndex(({ request_id }) => request_id !== undefined)
  const ofNone = lines
    .slice(first)
    .filter(({ request_id, task }) => request_id === undefined && task === undefined)
  expect(ofNone).toEqual([])
})
