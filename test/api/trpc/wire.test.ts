import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let project: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
})

const query = (path: string, input: unknown) =>
  team.owner(
    'GET',
    `/trpc/${path}${path.includes('?') ? '&' : '?'}input=${encodeURIComponent(JSON.stringify(input))}`,
  )

function expectRefusal(answer: Answer, status: number, reason: string): void {
  const { error } = answer.body
  expect({ status: answer.status, reason: error.data.reason, httpStatus: error.data.httpStatus }).toEqual({
    status,
    reason,
    httpStatus: status,
  })
  expect(error.message).toBe(error.data.message)
  expect(error.data.request_id).toBe(answer.headers.get('x-request-id'))
  expect(answer.headers.get('cache-control')).toBe('no-store')
}

describe('a call', () => {
  it('of a query is a GET with the input in the query', async () => {
    const answer = await query('projects.get', { project })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(answer.body).toEqual({
      result: { data: (await team.owner('GET', `/v1/projects/${project}`)).body },
    })
  })

  it('of a mutation is a POST with the input as JSON', async () => {
    const name = unique('site')
    const answer = await team.owner('POST', '/trpc/projects.put', { project: name, spa: true })
    expect(answer.body.result.data).toMatchObject({ name, spa: true })
  })

  it('in a batch is answered in its place, failures beside successes', async () => {
    const answer = await query('projects.get,projects.get,nothing?batch=1', {
      0: { project: 'other' },
      1: { project },
    })
    expect(answer.status).toBe(207)
    const [missing, found, unknown] = answer.body
    expect(missing.error.data).toMatchObject({ reason: 'project_not_found', httpStatus: 404 })
    expect(found.result.data.name).toBe(project)
    expect(unknown.error.data).toMatchObject({ reason: 'unknown_path', httpStatus: 404 })
    expect(missing.error.data.request_id).toBe(answer.headers.get('x-request-id'))
  })

  it('has the same effect as its REST operation, and the same refusals', async () => {
    for (const [method, path, rest, body] of [
      ['GET', 'projects.get', '/v1/projects/other', { project: 'other' }],
      ['GET', 'deployments.get', '/v1/deployments/dpl_1', { deployment: 'dpl_1' }],
      ['GET', 'projects.list', '/v1/projects?cursor=a', { cursor: 'a' }],
      ['POST', 'tokens.createKey', '/v1/apikeys', { name: '', role: 'king', other: 1 }],
      ['POST', 'deployments.create', '/v1/deployments', { project, files: [{ path: '../a', content: 'a' }] }],
      [
        'POST',
        'deployments.create',
        '/v1/deployments',
        { project, files: [{ path: 'a', sha256: 'b'.repeat(64), size: 1 }] },
      ],
    ] as const) {
      const viaRpc =
        method === 'GET' ? await query(path, body) : await team.owner(method, `/trpc/${path}`, body)
      const viaRest = await team.owner(method, rest, method === 'GET' ? undefined : body)
      const { httpStatus, request_id: _rpc, ...rpcError } = viaRpc.body.error.data
      const { request_id: _rest, ...expected } = viaRest.body
      expect(withoutSignatures({ status: httpStatus, ...rpcError })).toEqual(
        withoutSignatures({ status: viaRest.status, ...expected }),
      )
      expect(viaRpc.status).toBe(viaRest.status)
    }
  })
})

/** Upload URLs are signed again each time. */
function withoutSignatures(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/expires=.*?"/g, '"'))
}

describe('405, with Allow', () => {
  it('a mutation as GET, which changes nothing', async () => {
    const name = unique('site')
    const answer = await query('projects.put', { project: name })
    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('POST')
    expect((await team.owner('GET', `/v1/projects/${name}`)).status).toBe(404)
  })

  it('a query as POST', async () => {
    const answer = await team.owner('POST', '/trpc/projects.get', { project })
    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('GET')
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])('%s', async (method) => {
    const response = await fetch(new URL('/trpc/projects.get', node.apiUrl), { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST')
  })
})

describe('404 unknown_path', () => {
  it.each([
    'nothing',
    'projects',
    'projects.',
    '.get',
    'projects.get.x',
    'projects/get',
    '__proto__',
    'constructor',
    'toString',
    '_def',
    'projects.__proto__',
    'createCaller',
  ])('there is no procedure %s', async (path) => {
    expectRefusal(await query(path, { project }), 404, 'unknown_path')
    expectRefusal(await team.owner('POST', `/trpc/${path}`, { project }), 404, 'unknown_path')
  })
})

describe('400', () => {
  it.each<[string, string, () => Promise<Answer>]>([
    ['invalid_input', 'no input where fields are required', () => team.owner('GET', '/trpc/projects.get')],
    ['invalid_input', 'null', () => query('projects.get', null)],
    ['invalid_input', 'a list', () => query('projects.get', [project])],
    ['invalid_input', 'an unknown field', () => query('projects.get', { project, other: 1 })],
    [
      'invalid_input',
      'a number as text, which only REST has to take',
      () => query('projects.list', { limit: '5' }),
    ],
    ['invalid_input', 'U+0000', () => query('projects.list', { q: 'a\u0000' })],
    [
      'invalid_input',
      'half of a surrogate pair',
      () => team.owner('GET', `/trpc/projects.list?input=${encodeURIComponent('{"q":"\\ud800"}')}`),
    ],
    [
      'invalid_input',
      '__proto__',
      () => team.owner('GET', `/trpc/projects.list?input=${encodeURIComponent('{"__proto__":{"limit":1}}')}`),
    ],
    [
      'invalid_input',
      '__proto__ where any key may be',
      () =>
        team.owner('POST', '/trpc/deployments.create', {
          project,
          files: [{ path: 'a', content: 'a' }],
          meta: JSON.parse('{"__proto__":"a"}'),
        }),
    ],
    ['malformed_json', 'half an object', () => team.owner('GET', '/trpc/projects.get?input={')],
    ['malformed_request', 'a batch whose input is no object', () => query('projects.get?batch=1', 'a')],
    [
      'malformed_request',
      'a batch of queries and mutations',
      () => query('projects.get,projects.put?batch=1', {}),
    ],
    [
      'malformed_request',
      'a stream without a batch',
      () => team.owner('GET', '/trpc/projects.list', undefined, { 'trpc-accept': 'application/jsonl' }),
    ],
    [
      'malformed_request',
      'a batch of more than 100 calls',
      () => query(`${Array(101).fill('a').join(',')}?batch=1`, {}),
    ],
  ])('%s: %s', async (reason, _what, call) => {
    const { status, headers, body } = await call()
    expectRefusal({ status, headers, body: Array.isArray(body) ? body[0] : body }, 400, reason)
  })
})

describe('403 and 401 as in REST', () => {
  it('401 without a credential, in the format that tRPC clients parse', async () => {
    expectRefusal(await apiOf(node)('GET', '/trpc/projects.list?input={}'), 401, 'unauthorized')
    const answer = await apiOf(node)('POST', '/trpc/projects.put?batch=1', { 0: { project } })
    expectRefusal(answer, 401, 'unauthorized')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})

it('a batch is logged with the status of its response', async () => {
  const batch = '/trpc/projects.get,projects.get?batch=1&input=%7B%7D'
  const answer = await team.owner('GET', batch)
  expect(answer.status).toBe(400)
  const id = answer.headers.get('x-request-id')
  const line = node.logged.find((each) => JSON.parse(each).request_id === id)
  expect(JSON.parse(line ?? '{}')).toMatchObject({ status: 400 })
})

it('no response reveals code or files', async () => {
  const answers = [
    await query('projects.get', { project: 5 }),
    await query('nothing', {}),
    await team.owner('GET', '/trpc/projects.get?input={'),
    await team.owner('POST', '/trpc/projects.get', {}),
  ]
  for (const { body } of answers) {
    expect(JSON.stringify(body)).not.toMatch(
      /stack|node_modules|\.ts|\.js|\/work|at async|ZodError|TRPCError/,
    )
    expect(Object.keys(body.error).sort()).toEqual(['code', 'data', 'message'])
  }
})
