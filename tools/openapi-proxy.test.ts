/**
 * Calls every operation like a client through Prism, which checks requests and responses against the OpenAPI
 * document.
 * @module-tag long
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newDataDirectory, type Program, startProgram, visit } from '../test/support/program.ts'

const run = promisify(execFile)
const prismCli = join(
  dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')),
  'dist/index.js',
)

const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: z.looseObject({ enum: z.array(z.string()).optional() }),
})

const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z.array(parameterSchema).default([]),
})

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
})

type Operation = z.infer<typeof operationSchema> & { method: string; template: string }

/** Prism's findings, in its words. */
const violationsSchema = z.array(z.looseObject({ location: z.array(z.string()), message: z.string() }))

// biome-ignore lint/suspicious/noExplicitAny: Prism holds every answer to the document.
type Answer = { status: number; body: any; violations: z.infer<typeof violationsSchema> }

let directory: string
let program: Program
let prism: ChildProcess
let proxyUrl: string
let operations: Operation[]
let jwt: string

beforeAll(async () => {
  directory = await newDataDirectory()
  program = await startProgram({
    SVC_DATA_DIR: directory,
    SVC_JWT_SECRET: 'the secret with which this test has its JWTs signed',
    // Nobody answers there.
    SVC_RESOLVERS: '127.0.0.1:1',
  })
  const document = documentSchema.parse(await (await fetch(`${program.apiUrl}/openapi.json`)).json())
  operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, each]) => ({ ...each, method: method.toUpperCase(), template })),
  )
  proxyUrl = await startPrism({ ...document, paths: { ...document.paths, ...wrongly } })
  jwt = await mint(program.key)
})

afterAll(async () => {
  const gone = once(prism, 'exit')
  prism.kill()
  await gone
  await program.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** Documented wrongly, to check that Prism notices. */
const wrongly = {
  '/healthz': {
    get: {
      responses: {
        200: {
          description: 'Not so',
          content: { 'application/json': { schema: { type: 'object', required: ['nothing'] } } },
        },
      },
    },
  },
}

/** Starts it in front of the program; resolves to its address. */
async function startPrism(document: object): Promise<string> {
  const file = join(directory, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  // It warms up with a request for each operation, and logs nothing else about that.
  prism = spawn(process.execPath, [prismCli, 'proxy', '--port', '0', file, program.apiUrl])
  let said = ''
  return new Promise((resolve, reject) => {
    prism.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, url] = /listening on (http:\/\/[\d.]+:\d+)/.exec(said) ?? []
      if (url !== undefined) resolve(url)
    })
    prism.once('exit', () => reject(new Error(`Prism ended: ${said}`)))
  })
}

async function mint(key: string | undefined): Promise<string> {
  const { status, body } = await send('POST', '/v1/token', undefined, key)
  expect(status).toBe(200)
  return body.token
}

async function send(method: string, path: string, body?: unknown, token = jwt): Promise<Answer> {
  const response = await fetch(`${proxyUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const violations = violationsSchema.parse(JSON.parse(response.headers.get('sl-violations') ?? '[]'))
  return { status: response.status, body: await response.json(), violations }
}

/** The created resources by the names that later calls use for them. */
const named: Record<string, string> = { project: 'web', domain: 'example.com', team: 'acme' }

const bodies: Record<string, () => unknown> = {
  'projects-put': () => ({ spa: true, env: [{ key: 'MODE', value: 'test', target: ['production'] }] }),
  'deployments-create': () => ({
    project: 'web',
    files: [{ path: 'index.html', content: '<h1>Hello</h1>' }],
  }),
  'domains-put': () => ({ redirect: { to: 'www.example.com' } }),
  'dns-create': () => ({ name: 'www', type: 'A', value: '192.0.2.1', ttl: 300 }),
  'dns-put': () => ({ value: '192.0.2.2', comment: null }),
  'webhooks-create': () => ({ url: 'https://example.com/hooks', events: ['deployment.ready'] }),
  'teams-put': () => ({ name: 'Acme' }),
  'tokens-createKey': () => ({ name: 'CI' }),
}

/** The name under which later calls refer to the created resource. */
const makes: Record<string, string> = {
  'deployments-create': 'deployment',
  'dns-create': 'record',
  'webhooks-create': 'webhook',
  'tokens-createKey': 'key',
}

function pathOf({ template, parameters }: Operation, references: Record<string, string>): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => references[name] ?? `no-${name}`)
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, schema }): [string, string] => [name, schema.enum?.[0] ?? '1'])
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`
}

/** First what creates something, parents before children; last what deletes it, in reverse order. */
function inOrder(): Operation[] {
  const depth = ({ template }: Operation) => template.split('/').length
  const rank = ({ method, operationId, template }: Operation) => {
    if (operationId in makes) return 1
    // Resources that the client names are created by the PUT, others by the POST before.
    return method === 'PUT' && template.split('{').length === 2
      ? 0
      : 2 + ['PUT', 'POST', 'GET', 'DELETE'].indexOf(method)
  }
  return operations.toSorted(
    (a, b) => rank(a) - rank(b) || (a.method === 'DELETE' ? depth(b) - depth(a) : depth(a) - depth(b)),
  )
}

/** The calls needed before an operation can be called. */
const before: Record<string, () => Promise<void>> = {
  // The other one is live by then.
  'deployments-delete': async () => {
    named.deployment = (await send('POST', '/v1/deployments', bodies['deployments-create']?.())).body.id
  },
}

it('finds violations of the document', async () => {
  const { violations } = await send('GET', '/healthz')
  expect(violations.map(({ location }) => location[0])).toEqual(['response'])
})

describe('every operation', () => {
  it('accepts documented requests, and responds as documented', async () => {
    let ofTeam = jwt
    for (const operation of inOrder()) {
      const { operationId, method, template } = operation
      await before[operationId]?.()
      // An exchange takes a key; a team is only visible to credentials that are bound to it.
      const bound = template === '/v1/teams/{team}' && method !== 'PUT' ? ofTeam : jwt
      const token = operationId === 'tokens-mint' ? program.key : bound
      const answer = await send(method, pathOf(operation, named), bodies[operationId]?.(), token)
      expect({ operationId, ...answer }).toMatchObject({ operationId, status: 200, violations: [] })
      const made = makes[operationId]
      if (made !== undefined) named[made] = answer.body.id
      if (operationId === 'teams-put') ofTeam = await mint(answer.body.api_key)
    }
  })

  it('refuses invalid and unknown input as documented', async () => {
    for (const operation of operations) {
      const { operationId, method } = operation
      const path = pathOf(operation, {})
      const isBody = method === 'POST' || method === 'PUT'
      const separator = path.includes('?') ? '&' : '?'
      const wrong = isBody
        ? await send(method, path, { nonsense: 1 })
        : await send(method, `${path}${separator}nonsense=1`)
      const answers = [wrong, await send(method, path, bodies[operationId]?.(), 'nobody')]
      if (path.includes('/no-')) answers.push(await send(method, path, bodies[operationId]?.()))
      for (const { status, body, violations } of answers) {
        const ofAnswers = violations.filter(({ location }) => location[0] === 'response')
        expect({ operationId, body, ofAnswers }).toMatchObject({ operationId, ofAnswers: [] })
        expect([operationId, status]).not.toEqual([operationId, 500])
      }
      expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([
        operationId === 'tokens-mint' ? 401 : 400,
        401,
      ])
    }
  })
})

it('the tour of the README leads to a live site', async () => {
  expect((await send('PUT', '/v1/projects/hello', {})).violations).toEqual([])
  const { stdout } = await run(process.execPath, ['examples/hello/deploy.mjs', proxyUrl, 'hello'], {
    env: { ...process.env, SVC_TOKEN: jwt },
  })
  const [, address = ''] = /^Live at (\S+)$/m.exec(stdout) ?? []
  expect(address).toBe(program.siteUrl('hello'))
  expect((await visit(address)).status).toBe(200)
  const { body, violations } = await send('GET', '/v1/deployments?project=hello&state=ready&limit=1')
  expect({ violations, live: body.data[0].live }).toEqual({ violations: [], live: true })
})
