/** The document of RPC, by the eyes of a program that has nothing but HTTP and JSON Schema. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { createRpcDocument } from '../../../src/api/server/openapi/rpc-document.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { startForgeNodes } from '../../platform/forges/steps.ts'
import { newSignedIn } from '../../platform/teams/people.ts'
import { newSession } from '../../support/session.ts'
import { cases as mutations } from './audit-cases.ts'
import { cases as everyCase } from './every-procedure.ts'
import { newOwn } from './new-own.ts'

vi.setConfig({ testTimeout: 60_000 })

let nodes: Awaited<ReturnType<typeof startForgeNodes>>

beforeAll(async () => {
  nodes = await startForgeNodes({ SVC_ROLES: 'api,edge' })
  nodes.forge.switches = {
    api: ({ method }) => (method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { id: 1 } }),
  }
}, 60_000)

afterAll(() => nodes?.stop())

const { procedures, $defs } = createRpcDocument('https://api.example.com', '1.0.0')

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', $defs })

function problemsOf(name: string, value: unknown): unknown {
  const validate = ajv.getSchema(`document#/$defs/${name}`)
  if (!validate) return `There is no schema ${name}.`
  return validate(value) ? null : validate.errors
}

const nameOf = ({ $ref }: { $ref: string }) => $ref.replace('#/$defs/', '')

it('every public procedure is in it, and none with an operation of REST', () => {
  const definitions = definitionsOf(appRouter)
  const wanted = definitions.filter(({ meta }) => meta.public).map(({ name }) => name)
  expect(procedures.map(({ name }) => name)).toEqual(wanted)
  expect(definitions.filter(({ meta }) => meta.public && meta.openapi)).toEqual([])
  const rooms = /^(?:invitationLinks|links|hooks|trust|git)\./
  const others = definitions.filter(({ name, meta }) => rooms.test(name) && !meta.public)
  // The dialog that imports a repository looks at it before.
  expect(others.map(({ name }) => name)).toEqual(['git.inspect'])
})

it('is served as it is made, with its address, and its references lead somewhere', async () => {
  const response = await fetch(new URL('/rpc.json', nodes.node.apiUrl))
  const served = z.object({ $id: z.string(), procedures: z.array(z.unknown()) }).parse(await response.json())
  expect(served.$id).toBe(`${nodes.node.apiUrl}/rpc.json`)
  expect(served.procedures).toEqual(JSON.parse(JSON.stringify(procedures)))
  const references = [...JSON.stringify({ procedures, $defs }).matchAll(/"\$ref":"([^"]*)"/g)]
  expect(references.length).toBeGreaterThan(procedures.length)
  for (const [, reference = ''] of references) expect($defs).toHaveProperty([nameOf({ $ref: reference })])
})

/** Names and ids in an example, for which a test has its own. */
const known = ['project', 'projects', 'team', 'email', 'id', 'delivery', 'commit', 'expires_ms']

const success = z.object({ result: z.object({ data: z.unknown() }) })

describe.each(procedures)('$name', ({ name, kind, method, path, input, output, example }) => {
  it('has an example that fits its schemas', () => {
    expect(problemsOf(nameOf(input), example.input)).toBe(null)
    expect(problemsOf(nameOf(output), example.output)).toBe(null)
    expect(problemsOf(nameOf(input), { ...Object(example.input), unknown: 1 })).not.toBe(null)
  })

  it('works by plain HTTP as its example says', async () => {
    const own = await newOwn(nodes)
    const { userId } = await newSignedIn(own.node, own.email)
    const steps = Object.entries(mutations).find(([each]) => each === name)?.[1]
    const step = Array.isArray(steps) ? steps[0] : undefined
    const queried = Object.entries(everyCase).find(([each]) => each === name)?.[1]
    if (name === 'git.deploy')
      await own.call('projects.put', {
        project: own.project.name,
        git: { url: own.repository, provider: 'github' },
      })
    const prepared: object = step ? await step.input(own) : (queried?.input(own) ?? {})
    const token =
      step?.by === undefined && name !== 'teams.invitations'
        ? own.team.ownerKey
        : (await newSession(own.node, userId)).token
    const ours = Object.entries(prepared).filter(([field]) => known.includes(field))
    const sent = { ...Object(example.input), ...Object.fromEntries(ours) }
    const query = kind === 'query' ? `?input=${encodeURIComponent(JSON.stringify(sent))}` : ''
    const response = await fetch(`${own.node.apiUrl}${path}${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(kind === 'mutation' && { body: JSON.stringify(sent) }),
    })
    const body: unknown = await response.json()
    expect({ status: response.status, body }).toMatchObject({ status: 200 })
    const { data } = success.parse(body).result
    expect(problemsOf(nameOf(output), data)).toBe(null)
    expect(Object.keys(Object(data)).toSorted()).toEqual(Object.keys(Object(example.output)).toSorted())
  })
})

it('errors have the form that it says', async () => {
  const { node } = nodes
  const response = await fetch(`${node.apiUrl}/trpc/links.create`, {
    method: 'POST',
    headers: { authorization: 'Bearer svc_nonsense', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(401)
  expect(problemsOf('Failure', await response.json())).toBe(null)
})
