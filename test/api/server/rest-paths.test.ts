import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { type Operation, operationsOf } from './operations-of.ts'

let node: TestNode
let team: TestTeam
let operations: Operation[]

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  operations = await operationsOf(node)
})

/** Every path that is served, with a value for each parameter, and its methods. */
function knownPaths(): [string, string[]][] {
  const templates = [...new Set(operations.map(({ template }) => template))]
  const ofDocument = templates.map((template): [string, string[]] => [
    template.replaceAll(/\{\w+\}/g, 'some'),
    operations.filter((each) => each.template === template).map(({ method }) => method),
  ])
  return [
    ...ofDocument,
    ['/healthz', ['GET']],
    ['/readyz', ['GET']],
    ['/openapi.json', ['GET']],
    ['/docs', ['GET']],
    [`/uploads/${'a'.repeat(64)}`, ['PUT']],
  ]
}

function expectRefusal({ status, headers, body }: Answer, expected: number, reason: string): void {
  expect({ status, reason: body.reason }).toEqual({ status: expected, reason })
  expect(body).toEqual({
    code: expect.any(String),
    reason,
    message: expect.any(String),
    request_id: headers.get('x-request-id'),
  })
  expect(headers.get('cache-control')).toBe('no-store')
}

describe('404 unknown_path', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v2/projects',
    '/V1/projects',
    '/v1/Projects',
    '/v1/project',
    '/v1/projects/a/b',
    '/v1/projects/a/b/c/d/e',
    '/v1/deployments/a/promote/b',
    '/openapi.yaml',
    '/uploads',
    '/trpc',
    '/.env',
    '/favicon.png',
  ])('%s, with a credential or without', async (path) => {
    for (const api of [apiOf(node), team.owner]) {
      expectRefusal(await api('GET', path), 404, 'unknown_path')
      expectRefusal(await api('POST', path, { any: 'thing' }), 404, 'unknown_path')
    }
  })

  it('a path that differs from a known one by a trailing slash', async () => {
    // Pages are lenient: /docs/ leads to /docs.
    const paths = knownPaths().filter(([path]) => path !== '/docs')
    for (const [path, [method = '']] of paths) {
      const answer = await team.owner(method, `${path}/`)
      expect({ path, status: answer.status }).toEqual({ path, status: 404 })
      expect(answer.body.reason).toBe('unknown_path')
    }
  })

  it.each([
    ['DELETE', '/v1/teams/'],
    ['GET', '/v1/domains//records'],
    ['POST', '/v1/domains//verify'],
    ['PUT', '/v1/domains/example.com/records/?ttl=60'],
  ])('%s %s, which lacks a parameter, for any caller and body', async (method, path) => {
    for (const api of [apiOf(node), team.owner]) {
      expectRefusal(await api(method, path), 404, 'unknown_path')
    }
    const malformed = await fetch(new URL(path, node.apiUrl), {
      method,
      ...(method !== 'GET' && { body: '{', headers: { 'content-type': 'application/json' } }),
    })
    expect(malformed.status).toBe(404)
  })

  it('before the body is read', async () => {
    const response = await fetch(new URL('/nothing', node.apiUrl), { method: 'POST', body: '{' })
    expect(response.status).toBe(404)
  })
})

describe('405 method_not_allowed, with Allow', () => {
  it.each(['PATCH', 'OPTIONS', 'PROPFIND'])('%s at every known path', async (method) => {
    for (const [path, methods] of knownPaths()) {
      const answer = await team.owner(method, path)
      expectRefusal(answer, 405, 'method_not_allowed')
      const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
      expect({ path, allow: answer.headers.get('allow') }).toEqual({ path, allow: allowed.sort().join(', ') })
    }
  })

  it('the method of another path, with a body that is not JSON, for an anonymous client too', async () => {
    const response = await fetch(new URL('/v1/projects', node.apiUrl), { method: 'POST', body: '{' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  it('HEAD where there is no GET, without a body', async () => {
    const response = await fetch(new URL(`/uploads/${'a'.repeat(64)}`, node.apiUrl), { method: 'HEAD' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('PUT')
    expect(await response.text()).toBe('')
  })
})

describe('HEAD', () => {
  const send = (method: string, path: string) =>
    fetch(new URL(path, node.apiUrl), { method, headers: { authorization: `Bearer ${team.ownerKey}` } })

  it('responds like GET, without the body', async () => {
    const project = unique('head')
    await team.owner('PUT', `/v1/projects/${project}`)
    for (const path of [
      `/v1/projects/${project}`,
      '/v1/projects',
      '/v1/projects/other',
      '/openapi.json',
      '/docs',
    ]) {
      const [get, head] = [await send('GET', path), await send('HEAD', path)]
      const length = Buffer.byteLength(await get.text())
      expect(head.status).toBe(get.status)
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(head.headers.get('cache-control')).toBe(get.headers.get('cache-control'))
      expect(await head.text()).toBe('')
      // An error contains its request's id, so only its length is the same.
      expect(Number(head.headers.get('content-length'))).toBe(length)
    }
  })

  it('needs the credential that GET needs', async () => {
    expect((await fetch(new URL('/v1/projects', node.apiUrl), { method: 'HEAD' })).status).toBe(401)
  })
})

it('no response may be cached, since it depends on the credential', async () => {
  for (const { method, template } of operations) {
    const { headers } = await team.owner(method, template.replaceAll(/\{\w+\}/g, 'other'))
    expect({ template, cache: headers.get('cache-control') }).toEqual({ template, cache: 'no-store' })
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  }
})

describe('a path parameter', () => {
  it('is decoded once', async () => {
    const project = unique('decoded')
    await team.owner('PUT', `/v1/projects/${project}`)
    const escaped = project.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    expect((await team.owner('GET', `/v1/projects/${escaped}`)).body.name).toBe(project)
    const twice = escaped.replaceAll('%', '%25')
    expectRefusal(await team.owner('GET', `/v1/projects/${twice}`), 404, 'project_not_found')
  })

  it.each(['a%2Fb', '%2e%2e%2f', 'bücher', 'a%20b', 'a+b', '💥', 'a;b', 'a,b', 'a=b', '%5C', 'constructor'])(
    'may contain anything, which is then not found: %s',
    async (name) => {
      expectRefusal(await team.owner('GET', `/v1/projects/${name}`), 404, 'project_not_found')
      expect((await team.owner('PUT', `/v1/projects/${name}`)).status).toBe(
        name === 'constructor' ? 200 : 400,
      )
    },
  )

  it('400 if it contains U+0000', async () => {
    const answer = await team.owner('GET', '/v1/projects/a%00b')
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([{ path: 'project', message: 'must not contain U+0000' }])
  })

  it('400 if it is longer than any name or id', async () => {
    expect((await team.owner('GET', `/v1/projects/${'a'.repeat(101)}`)).body.issues[0].path).toBe('project')
  })
})
