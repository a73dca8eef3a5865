/** With a JWT secret configured, nothing can be changed without a JWT. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createOpenApiDocument } from '../../../src/api/server/openapi/document.ts'
import { operationsIn } from '../../api/server/operations-of.ts'
import { exchange, head } from '../../api/server/raw-http.ts'
import { apiOf } from '../../support/api.ts'
import { enforcingNode, mint } from '../../support/enforcing-node.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let session: { token: string }
let jwt: string

beforeAll(async () => {
  node = await enforcingNode()
  team = await newTeam(node)
  session = await newSession(node, team.ownerId)
  jwt = (await mint(node, team.ownerKey)).token
})

const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument('http://localhost', '1')))
const operations = operationsIn(document).filter(({ procedure }) => procedure !== 'tokens.mint')
const changes = operations.filter(({ method }) => method !== 'GET')
const looks = operations.filter(({ method }) => method === 'GET')

const credentials: [string, () => string][] = [
  ['an API key', () => team.ownerKey],
  ['a session', () => session.token],
]

async function rpc(
  path: string,
  token: string,
  body: string | undefined,
  headers: Record<string, string> = {},
) {
  const response = await fetch(new URL(`/trpc/${path}`, node.apiUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const projectNames = async () => {
  const { body } = await team.owner('GET', '/v1/projects')
  return body.data.map(({ name }: { name: string }) => name)
}

describe.each(credentials)('with %s', (_, tokenOf) => {
  it.each(changes)('$method $template is 401 jwt_required', async ({ method, template, body }) => {
    const path = template.replaceAll(/\{\w+\}/g, 'web')
    const answer = await apiOf(node, tokenOf())(method, path, method === 'DELETE' ? undefined : body)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.body.reason).toBe('jwt_required')
    expect(answer.body.message).toContain('POST /v1/token')
  })

  it('a batch in which every call is refused is 401 as well', async () => {
    const { status, headers, text } = await rpc('projects.put,projects.put?batch=1', tokenOf(), '{}')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(text.match(/"jwt_required"/g)).toHaveLength(2)
  })

  it.each(changes)('the procedure $procedure is 401 as well', async ({ procedure, body }) => {
    const { status, headers, text } = await rpc(procedure, tokenOf(), JSON.stringify(body ?? {}))
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(text).toContain('"jwt_required"')
  })

  it.each(looks)('$method $template needs no JWT', async ({ method, template }) => {
    const path = template.replaceAll(/\{\w+\}/g, 'web')
    // The metric: the only field without a default.
    const query = path === '/v1/metrics' ? '?metric=requests' : ''
    const { status } = await apiOf(node, tokenOf())(method, path + query)
    expect([200, 404]).toContain(status)
  })

  it.each([
    ['a batch', 'projects.put,projects.put?batch=1', 'jwt_required', {}],
    ['a batch of one', 'projects.put?batch=1', 'jwt_required', {}],
    ['a stream', 'projects.put,projects.put?batch=1', 'jwt_required', { 'trpc-accept': 'application/jsonl' }],
    ['a name that is escaped twice', 'projects%252Eput?batch=1', 'malformed_request', {}],
  ])('no call in %s changes anything', async (_what, path, reason, headers) => {
    const [one, two] = [unique('site'), unique('site')]
    const body = JSON.stringify({ 0: { project: one }, 1: { project: two } })
    const { text } = await rpc(path, tokenOf(), body, headers)
    expect(text).toContain(reason)
    const names = await projectNames()
    expect(names).not.toContain(one)
    expect(names).not.toContain(two)
  })
})

it('the refusal is sent before the body is received, by REST and by RPC', async () => {
  for (const line of ['POST /v1/deployments', 'POST /trpc/deployments.create']) {
    const { status, body } = await exchange(
      node,
      head(
        line,
        `Authorization: Bearer ${team.ownerKey}`,
        'Content-Type: application/json',
        'Content-Length: 5000000',
      ),
    )
    expect({ line, status }).toEqual({ line, status: 401 })
    expect(body).toContain('jwt_required')
  }
})

it('a JWT may do everything that its key may', async () => {
  const api = apiOf(node, jwt)
  const project = unique('site')
  const files = [{ path: 'index.html', content: 'hello' }]
  expect((await api('PUT', `/v1/projects/${project}`)).status).toBe(200)
  expect(await projectNames()).toContain(project)
  const { status, body } = await api('POST', '/v1/deployments', { project, files })
  expect(status).toBe(200)
  expect(body.created_by).toBe(team.ownerId)
  expect((await api('POST', `/v1/deployments/${body.id}/promote`)).body.live).toBe(true)
  expect((await api('DELETE', `/v1/projects/${project}`)).status).toBe(200)
})

it('a JWT may do so in a batch, together with queries', async () => {
  const [one, two] = [unique('site'), unique('site')]
  const { status, text } = await rpc(
    'projects.put,projects.put?batch=1',
    jwt,
    JSON.stringify({ 0: { project: one }, 1: { project: two } }),
  )
  expect(status).toBe(200)
  expect(
    JSON.parse(text).map(({ result }: { result: { data: { name: string } } }) => result.data.name),
  ).toEqual([one, two])
})

it('a JWT sees its own team only, whatever a header names', async () => {
  const other = await newTeam(node)
  const project = unique('site')
  await (await mint(node, other.ownerKey)).api('PUT', `/v1/projects/${project}`)
  const { status, body } = await apiOf(node, jwt)('GET', `/v1/projects/${project}`, undefined, {
    'x-svc-team': other.slug,
  })
  expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'project_not_found' })
})

it('a key created with a JWT belongs to its user', async () => {
  const { body } = await apiOf(node, jwt)('POST', '/v1/apikeys', { name: 'created with a JWT' })
  expect((await mint(node, body.token)).token).toBeTruthy()
  expect((await apiOf(node, body.token)('GET', '/v1/apikeys')).body.data).toHaveLength(1)
})

it('an upload needs no JWT, once one has created its deployment', async () => {
  const api = apiOf(node, jwt)
  const project = unique('site')
  await api('PUT', `/v1/projects/${project}`)
  const content = unique('content')
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(content))).toString('hex')
  const files = [{ path: 'a.txt', sha256, size: content.length }]
  const { body } = await api('POST', '/v1/deployments', { project, files })
  const put = await fetch(body.missing[0].upload_url, { method: 'PUT', body: content })
  expect(put.status).toBe(200)
  expect((await api('POST', '/v1/deployments', { project, files })).status).toBe(200)
})
