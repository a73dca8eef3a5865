import { beforeAll, describe, expect, it } from 'vitest'
import { type IdKind, newId } from '../../src/ids.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { type Operation, operationsOf } from './operations-of.ts'

type Answer = { status: number; headers: Record<string, string>; body: unknown }

let node: TestNode
let victim: TestTeam
let stranger: TestTeam
let operations: Operation[]

/** What the victim has, by the name of the path parameter: how to refer to it, and where to look whether it is unchanged. */
let things: Record<string, { foreign: string; unknown: string; at: string; also?: Record<string, string> }>

beforeAll(async () => {
  node = await sharedNode()
  victim = await newTeam(node)
  stranger = await newTeam(node)
  const name = unique('site')
  const project = (await victim.owner('PUT', `/v1/projects/${name}`)).body
  const files = [{ path: 'index.html', content: 'a' }]
  const deployment = (await victim.owner('POST', '/v1/deployments', { project: name, files })).body
  const key = (await victim.owner('POST', '/v1/apikeys', { name: 'a key' })).body
  const unknown = (kind: IdKind) => newId(kind, Date.now())
  things = {
    project: { foreign: project.id, unknown: unknown('project'), at: `/v1/projects/${name}` },
    deployment: {
      foreign: deployment.id,
      unknown: unknown('deployment'),
      at: `/v1/deployments/${deployment.id}`,
    },
    key: { foreign: key.id, unknown: unknown('key'), at: '/v1/apikeys' },
  }
  operations = await operationsOf(node)
})

async function ask(team: TestTeam, method: string, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(new URL(path, node.apiUrl), {
    method,
    headers: {
      authorization: `Bearer ${team.ownerKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const {
    date,
    'x-request-id': _id,
    'content-length': _length,
    ...headers
  } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.json() }
}

/** An answer without the request's id, and with one word for what was asked for. */
function withoutNames(answer: Answer, asked: string): Answer {
  return JSON.parse(
    JSON.stringify(answer)
      .replaceAll(asked, 'it')
      .replaceAll(/req_[0-9a-f]{32}/g, 'req'),
  )
}

/** What the victim finds there, but for when its keys were last used. */
async function stateAt(path: string): Promise<unknown> {
  const { body } = await victim.owner('GET', path)
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'last_used_ms' ? undefined : value)))
}

async function callRest(
  { method, template, body }: Operation,
  values: Record<string, string>,
): Promise<Answer> {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
  return ask(stranger, method, path, body)
}

async function callRpc(
  { procedure, method, body }: Operation,
  values: Record<string, string>,
): Promise<Answer> {
  const input = { ...Object(body), ...values }
  if (method !== 'GET') return ask(stranger, 'POST', `/trpc/${procedure}`, input)
  return ask(
    stranger,
    'GET',
    `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
    undefined,
  )
}

describe.each([
  ['REST', callRest],
  ['RPC', callRpc],
])('what belongs to another team is 404, told as if it were nowhere, %s', (surface, call) => {
  it('in every operation that names something', async () => {
    const tried: string[] = []
    for (const operation of operations) {
      const [parameter] = operation.parameters
      if (parameter === undefined) continue
      const thing = things[parameter]
      if (!thing) throw new Error(`Give this test a ${parameter} of another team.`)
      const before = await stateAt(thing.at)
      const foreign = await call(operation, { ...thing.also, [parameter]: thing.foreign })
      const unknown = await call(operation, { ...thing.also, [parameter]: thing.unknown })
      const where = `${surface} ${operation.procedure}`
      expect({ where, status: foreign.status }).toEqual({ where, status: 404 })
      expect(withoutNames(foreign, thing.foreign)).toEqual(withoutNames(unknown, thing.unknown))
      expect(await stateAt(thing.at)).toEqual(before)
      tried.push(operation.procedure)
    }
    expect(tried.length).toBeGreaterThanOrEqual(7)
  })
})

describe('the same where a body or a filter refers to it', () => {
  const files = [{ path: 'a', content: 'a' }]
  it.each<[string, number, (project: string) => Promise<Answer>]>([
    [
      '404 for a deployment of its project',
      404,
      (project) => ask(stranger, 'POST', '/v1/deployments', { project, files }),
    ],
    [
      'an empty list of its deployments',
      200,
      (project) => ask(stranger, 'GET', `/v1/deployments?project=${project}`, undefined),
    ],
  ])('%s', async (_what, status, call) => {
    const { name, id } = (await victim.owner('GET', things['project']?.at ?? '')).body
    const unknown = withoutNames(await call('nowhere'), 'nowhere')
    expect(unknown.status).toBe(status)
    for (const reference of [name, id, things['project']?.unknown ?? '']) {
      expect(withoutNames(await call(reference), reference)).toEqual(unknown)
    }
  })
})

it('lists hold nothing of another team', async () => {
  const ids = Object.values(things).map(({ foreign }) => foreign)
  for (const { method, template, parameters } of operations) {
    if (method !== 'GET' || parameters.length > 0) continue
    const text = JSON.stringify(await ask(stranger, method, template, undefined))
    for (const id of [...ids, victim.id, victim.ownerId]) expect(text).not.toContain(id)
  }
})

it('a project of the same name is another project', async () => {
  const { name, id } = (await victim.owner('GET', things['project']?.at ?? '')).body
  const mine = await stranger.owner('PUT', `/v1/projects/${name}`, { spa: true })
  expect(mine.status).toBe(200)
  expect(mine.body.id).not.toBe(id)
  expect(mine.body.production_url).not.toBe(
    (await victim.owner('GET', `/v1/projects/${name}`)).body.production_url,
  )
  expect((await victim.owner('GET', `/v1/projects/${name}`)).body).toMatchObject({ id, spa: false })
})
