/**
 * A typed client of the document, as a third party makes it: its types are made here, and this file is
 * compiled with them.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import createClient, { type Client } from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { components, paths } from '../dist/.rest-schema.ts'
import { sharedNode, type TestNode, unique } from '../test/support/node.ts'
import { visit } from '../test/support/program.ts'
import { newTeam, type TestTeam } from '../test/support/team.ts'

const run = promisify(execFile)

let node: TestNode
let team: TestTeam
let client: Client<paths>

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  client = createClient<paths>({
    baseUrl: node.apiUrl,
    headers: { authorization: `Bearer ${team.ownerKey}` },
  })
})

type Deployment = components['schemas']['Deployment']
type Failure = components['schemas']['Error']

/** A deployment's input: every file by its digest. */
function describeFiles(contents: Record<string, string>) {
  return Object.entries(contents).map(([path, content]) => ({
    path,
    sha256: createHash('sha256').update(content).digest('hex'),
    size: Buffer.byteLength(content),
  }))
}

/** As a deploy script does it: create, upload what is missing, create again. */
async function deploy(project: string, contents: Record<string, string>): Promise<Deployment> {
  const body = {
    project,
    target: 'preview' as const,
    files: describeFiles(contents),
    meta: { branch: 'main' },
  }
  const first = await client.POST('/v1/deployments', { body })
  if (first.data) return first.data
  expect(first.response.status).toBe(400)
  expect(first.error.reason).toBe('files_missing')
  for (const { sha256, upload_url } of first.error.missing ?? []) {
    const content = Object.values(contents).find(
      (each) => createHash('sha256').update(each).digest('hex') === sha256,
    )
    const uploaded = await fetch(upload_url, { method: 'PUT', body: content ?? '' })
    expect(uploaded.status).toBe(200)
    expect(await uploaded.json()).toEqual({ sha256, size: Buffer.byteLength(content ?? '') })
  }
  const second = await client.POST('/v1/deployments', { body })
  if (!second.data) throw new Error(second.error.message)
  return second.data
}

it('a typed client goes from nothing to a live site, and back', async () => {
  const name = unique('web')
  const project = await client.PUT('/v1/projects/{project}', {
    params: { path: { project: name } },
    body: { auto_promote: false, env: [{ key: 'MODE', value: 'test', target: ['production'] }] },
  })
  expect(project.data).toMatchObject({ name, auto_promote: false, production_deployment: null })

  const [one, two] = ['<h1>one</h1>', '<h1>two</h1>']
  const first = await deploy(name, { 'index.html': one })
  const second = await deploy(name, { 'index.html': two, 'about.html': one })
  expect(second).toMatchObject({ state: 'ready', live: false, files: 2, meta: { branch: 'main' } })
  expect(await visit(second.url)).toEqual({ status: 200, text: two })

  const ready = await client.GET('/v1/deployments/{deployment}', {
    params: { path: { deployment: second.id }, query: { wait_s: 5 } },
  })
  expect(ready.data?.state).toBe('ready')

  const promote = (deployment: string) =>
    client.POST('/v1/deployments/{deployment}/promote', { params: { path: { deployment } } })
  const live = await promote(second.id)
  expect(live.data).toMatchObject({ id: second.id, live: true })
  expect(await visit(live.data?.aliases[0] ?? '')).toEqual({ status: 200, text: two })

  expect((await promote(first.id)).data).toMatchObject({ id: first.id, live: true })
  expect(await visit(live.data?.aliases[0] ?? '')).toEqual({ status: 200, text: one })

  const list = await client.GET('/v1/deployments', { params: { query: { project: name, limit: 1 } } })
  expect(list.data?.data.map(({ id }) => id)).toEqual([second.id])
  const next = await client.GET('/v1/deployments', {
    params: { query: { project: name, limit: 1, cursor: list.data?.next_cursor ?? '' } },
  })
  expect(next.data).toMatchObject({ data: [{ id: first.id, live: true }], next_cursor: null })

  const refused = await client.DELETE('/v1/deployments/{deployment}', {
    params: { path: { deployment: first.id } },
  })
  expect(refused.error).toMatchObject({ code: 'CONFLICT', reason: 'is_live' })
  const gone = await client.DELETE('/v1/deployments/{deployment}', {
    params: { path: { deployment: second.id } },
  })
  expect(gone.data).toEqual({ id: second.id, deleted: true })
})

describe('the types', () => {
  it('fit what this file does with them', async () => {
    const types = astToString(await openapiTS(new URL('/openapi.json', node.apiUrl)))
    await writeFile('dist/.rest-schema.ts', types)
    const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tools/tsconfig.rest-client.json']
    const { stdout } = await run(process.execPath, compiler).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('distinguish a success from a failure', async () => {
    const { data, error, response } = await client.GET('/v1/projects/{project}', {
      params: { path: { project: 'other' } },
    })
    expect(response.status).toBe(404)
    expect(data).toBeUndefined()
    expectTypeOf(error).toEqualTypeOf<Failure | undefined>()
    expect(error).toMatchObject({ code: 'NOT_FOUND', reason: 'project_not_found' })
  })

  it('check inputs: each of these is a type error, and a refusal', async () => {
    const answers = await Promise.all([
      // @ts-expect-error A field is missing.
      client.POST('/v1/apikeys', { body: { role: 'member' } }),
      // @ts-expect-error No such role.
      client.POST('/v1/apikeys', { body: { name: 'a', role: 'king' } }),
      // @ts-expect-error A number.
      client.GET('/v1/projects', { params: { query: { limit: 'many' } } }),
      // @ts-expect-error No such path.
      client.GET('/v1/nothing'),
      // @ts-expect-error No such method.
      client.PUT('/v1/projects', {}),
    ])
    expect(answers.map(({ response }) => response.status)).toEqual([400, 400, 400, 404, 405])
  })

  it('have a key’s token in the response that creates it, and in no other', async () => {
    const made = await client.POST('/v1/apikeys', { body: { name: 'CI', role: 'member' } })
    expect(made.data?.token).toMatch(/^svc_/)
    const list = await client.GET('/v1/apikeys')
    expectTypeOf<NonNullable<typeof list.data>['data'][number]>().not.toHaveProperty('token')
    expect(list.data?.data[0]).not.toHaveProperty('token')
  })
})
