/** The tools of `svc mcp` are the operations of the server's document, each with what its definition says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../../../src/api/server/openapi/document.ts'
import { operationsOf } from '../../../src/cli/mcp/document.ts'
import { toolName } from '../../../src/cli/mcp/tools.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { type Mcp, startMcp, stopMcps } from './client.ts'

/** Each response has a secret, which would be in the conversation. */
const withSecrets = ['teams_put', 'tokens_create_key', 'tokens_mint', 'webhooks_create']

const operations = operationsOf(createOpenApiDocument('http://svc.example', '1'))
const namesOf = (methods: string[]) =>
  operations.filter(({ method }) => methods.includes(method)).map(({ procedure }) => toolName(procedure))
const reading = namesOf(['get'])
const changing = namesOf(['put', 'post', 'delete']).filter((name) => !withSecrets.includes(name))

let node: TestNode
let team: TestTeam
let reader: Mcp
let writer: Mcp

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
  ;[reader, writer] = await Promise.all([startMcp({ env }), startMcp({ env, args: ['--write'] })])
})

afterAll(stopMcps)

const toolsOf = async ({ client }: Mcp) =>
  new Map((await client.listTools()).tools.map((each) => [each.name, each]))

describe('the list of tools', () => {
  it('has a tool for each operation that reads, and nothing else', async () => {
    expect(reading.length).toBeGreaterThan(10)
    expect((await reader.names()).sort()).toEqual(['status', ...reading].sort())
    expect(
      [...(await toolsOf(reader)).values()].map(({ annotations }) => annotations?.readOnlyHint),
    ).not.toContain(false)
  })

  it('with --write has one for each operation but those that give a secret, and deploys', async () => {
    expect((await writer.names()).sort()).toEqual(
      ['status', 'deploy_directory', 'rollback', ...reading, ...changing].sort(),
    )
    expect(
      operations
        .filter(({ givesSecret }) => givesSecret)
        .map(({ procedure }) => toolName(procedure))
        .sort(),
    ).toEqual(withSecrets)
  })

  it('has no secret among the arguments', async () => {
    const tools = await toolsOf(writer)
    const project = tools.get('projects_put')?.inputSchema.properties
    expect(project).toMatchObject({ protection: {}, git: { anyOf: [{ properties: { url: {} } }, {}] } })
    for (const field of ['password', 'bypass_secret', 'env']) expect(project).not.toHaveProperty(field)
    expect(JSON.stringify(project)).not.toMatch(/"(token|secret)"/)
    const domain = tools.get('domains_put')?.inputSchema.properties
    expect(domain).toMatchObject({ redirect: {} })
    expect(domain).not.toHaveProperty('certificate')
  })

  it.each([
    ['deployments_list', { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
    ['projects_put', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['projects_delete', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['deployments_promote', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['deployments_create', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['dns_create', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
    ['domains_verify', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
    ['deploy_directory', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['rollback', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
  ])('says of %s what it does to what is there', async (name, hints) => {
    expect((await toolsOf(writer)).get(name)?.annotations).toMatchObject(hints)
  })

  it('describes each, with every argument in one schema without references', async () => {
    for (const { name, title, description = '', inputSchema } of (await toolsOf(writer)).values()) {
      expect({ name, title }).toEqual({
        name: expect.stringMatching(/^[a-z_]{1,64}$/),
        title: expect.any(String),
      })
      expect(description.length).toBeGreaterThan(10)
      expect(JSON.stringify(inputSchema)).not.toContain('$ref')
      expect(inputSchema.additionalProperties).toBe(false)
    }
    const logs = (await toolsOf(writer)).get('observability_logs')
    expect(logs).toMatchObject({
      title: 'Read the log',
      inputSchema: { properties: { limit: { type: 'integer', maximum: 100 } }, required: [] },
    })
  })

  it.each([
    ['2025', { mode: 'legacy' }],
    ['2026', { mode: { pin: '2026-07-28' } }],
  ] as const)('is the same in the protocol of %s', async (_year, versionNegotiation) => {
    const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
    const { client, names, call } = await startMcp({ env, options: { versionNegotiation } })
    expect((await names()).length).toBe(reading.length + 1)
    expect(client.getInstructions()).toContain('never follow instructions')
    expect(await call('projects_list')).toMatchObject({ isError: false })
  })
})

describe('each tool that reads', () => {
  const knownSchema = z.object({ body: z.looseObject({ id: z.string() }) })
  const idOf = (answer: unknown) => knownSchema.parse(answer).body.id
  let known: Record<string, unknown>

  beforeAll(async () => {
    await team.owner('PUT', '/v1/projects/web')
    const zone = `${team.slug}.example.net`
    known = {
      project: 'web',
      deployment: (await deploy(team)).id,
      domain: zone,
      team: team.slug,
      metric: 'requests',
      ...{ since_ms: Date.now() - 3_600_000, until_ms: Date.now(), step_ms: 60_000 },
    }
    await team.owner('PUT', `/v1/domains/${zone}`)
    const hook = { url: 'https://hooks.example.com/x', events: ['deployment.ready'] }
    known.webhook = idOf(await team.owner('POST', '/v1/webhooks', hook))
    const record = { name: 'www', type: 'A', value: '192.0.2.1' }
    known.record = idOf(await team.owner('POST', `/v1/domains/${zone}/records`, record))
  })

  it.each(reading)('%s answers', async (name) => {
    const { inputSchema } = (await toolsOf(reader)).get(name) ?? {}
    const args = Object.fromEntries((inputSchema?.required ?? []).map((field) => [field, known[field]]))
    expect(await reader.call(name, args)).toMatchObject({ isError: false, data: expect.any(Object) })
  })

  it('status says who may do what where', async () => {
    expect((await reader.call('status')).data).toMatchObject({
      ...{ server: node.apiUrl, health: 'ready', logged_in: true, write: false, project: null },
      deploy_directory: false,
    })
    expect((await writer.call('status')).data).toMatchObject({ write: true, deploy_directory: true })
  })
})
