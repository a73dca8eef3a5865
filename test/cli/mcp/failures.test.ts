/** What `svc mcp` refuses, and what it does where the server, the key or the client is gone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { newHome, svcMain } from '../svc.ts'
import { type Mcp, startMcp, stopMcps } from './client.ts'

let node: TestNode
let team: TestTeam
let env: Record<string, string>
let reader: Mcp
let writer: Mcp

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
  await team.owner('PUT', '/v1/projects/web')
  ;[reader, writer] = await Promise.all([startMcp({ env }), startMcp({ env, args: ['--write'] })])
})

afterAll(stopMcps)

const project = async (name: string) => (await team.owner('GET', `/v1/projects/${name}`)).body

describe('without --write', () => {
  it.each([
    ['projects_delete', { project: 'web' }],
    ['projects_put', { project: 'web', spa: true }],
    ['deploy_directory', {}],
  ])('refuses %s, and changes nothing', async (name, args) => {
    const { call, names } = reader
    expect(await names()).not.toContain(name)
    expect(await call(name, args)).toMatchObject({
      isError: true,
      data: { reason: 'read_only', message: expect.stringContaining('--write') },
    })
    expect(await project('web')).toMatchObject({ name: 'web', spa: false })
  })
})

describe('with --write', () => {
  it('changes what the key may', async () => {
    expect(await writer.call('projects_put', { project: 'other', spa: true })).toMatchObject({
      isError: false,
      data: { name: 'other', spa: true },
    })
    expect(await writer.call('projects_delete', { project: 'other' })).toMatchObject({
      data: { deleted: true },
    })
    expect(await project('other')).toMatchObject({ reason: 'project_not_found' })
  })

  it.each([
    ['tokens_create_key', { name: 'mine' }],
    ['tokens_mint', {}],
    ['webhooks_create', { url: 'https://example.com/x', events: ['deployment.ready'] }],
    ['teams_put', { team: 'another', name: 'Another' }],
  ])('refuses %s, whose answer has a secret', async (name, args) => {
    const { isError, data, text: said } = await writer.call(name, args)
    expect({ isError, data }).toMatchObject({
      isError: true,
      data: { message: expect.stringContaining('secret') },
    })
    expect(said).not.toContain('svc_')
    expect((await team.owner('GET', '/v1/apikeys')).body.data).toHaveLength(1)
  })

  it.each(['password', 'bypass_secret'])('sets no %s', async (field) => {
    expect(await writer.call('projects_put', { project: 'web', [field]: 'x'.repeat(40) })).toMatchObject({
      isError: true,
      data: { message: expect.stringMatching(`^${field}: `) },
    })
    expect(await project('web')).toMatchObject({
      password_set: false,
      bypass_set: false,
    })
  })

  it.each([
    ['projects_put', { project: 'web', env: [{ key: 'A', value: 'x' }] }, 'env[0].value'],
    ['projects_put', { project: 'web', git: { token: 'x'.repeat(20) } }, 'git.token'],
    ['projects_put', { project: 'web', git: { secret: 'x'.repeat(20) } }, 'git.secret'],
    ['domains_put', { domain: 'example.com', certificate: { chain: 'x', key: 'x' } }, 'certificate.key'],
  ])('%s sends no secret in %o', async (name, args, field) => {
    const { isError, data } = await writer.call(name, args)
    expect({ isError, data }).toMatchObject({
      isError: true,
      data: { message: `${field}: secrets aren't set by tools. A person can set it with svc.` },
    })
  })
})

describe('hostile arguments', () => {
  it.each([
    ['deployments_list', { limit: 1_000_000 }, 'limit'],
    ['deployments_list', { state: { $ne: null } }, 'state'],
    ['observability_logs', { q: 'x'.repeat(201) }, 'q'],
    ['projects_get', { project: 'web', extra: 1 }, 'extra'],
    ['projects_get', {}, 'project'],
    ['projects_get', { project: 'web', constructor: {} }, 'constructor'],
    ['projects_get', { project: ['../../teams'] }, 'project'],
  ])('of %s are refused, and the field is named', async (name, args, field) => {
    const { isError, data } = await reader.call(name, args)
    expect(isError).toBe(true)
    expect(data).toMatchObject({ reason: 'invalid_input', message: expect.stringContaining(field) })
  })

  it('that are too long for an address are refused, and the longest is named', async () => {
    expect(await reader.call('observability_logs', { kind: 'build', q: 'x'.repeat(100_000) })).toMatchObject({
      isError: true,
      data: { reason: 'usage', message: expect.stringMatching(/^q: too long/) },
    })
  })

  it('of an unknown tool are an error of the tool', async () => {
    for (const name of ['projects_destroy', '__proto__', 'account_get', 'tokens.mint', '']) {
      expect(await reader.call(name)).toMatchObject({ isError: true, data: { reason: 'usage' } })
    }
  })

  it('that are no message of the protocol don’t end it', async () => {
    const child = await startRaw(env)
    child.stdin?.write('rubbish\n{"jsonrpc":"2.0"}\n[1]\n"\\u0000"\n')
    child.stdin?.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'status' } })}\n`,
    )
    child.stdin?.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 3 } })}\n`,
    )
    const lines: string[] = []
    child.stdout?.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')))
    await eventually(() => expect(lines.join()).toContain('"id":7'))
    await eventually(() => expect(lines.join()).toContain('"id":8'))
    // Nothing but the protocol is there.
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    child.stdin?.end()
    expect(await ended(child)).toBe(0)
  })
})

async function startRaw(environment: Record<string, string>): Promise<ChildProcess> {
  const { home } = await newHome()
  return spawn(process.execPath, [await svcMain(), 'mcp'], { cwd: home, env: { HOME: home, ...environment } })
}

async function ended(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode
}

describe('ends', () => {
  it('when standard input ends', async () => {
    const child = await startRaw(env)
    child.stdin?.end()
    expect(await ended(child)).toBe(0)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('on %s', async (signal, code) => {
    const child = await startRaw(env)
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
    await once(child.stdout ?? child, 'data')
    child.kill(signal)
    expect(await ended(child)).toBe(code)
  })

  it('at once where a server is wrong, or a directory missing', async () => {
    const { svc } = await newHome()
    expect(await svc(['mcp'], { env: { SVC_URL: 'nowhere' } })).toMatchObject({ code: 2, stdout: '' })
    expect(await svc(['mcp', 'missing'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('missing'),
    })
  })
})

/** The address of a server that answers so, until the test is over. */
async function serverThat(answers: RequestListener, port = '0'): Promise<string> {
  const server = createServer(answers).listen(Number(port), '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
}

const documentOf = async () => (await fetch(`${node.apiUrl}/openapi.json`)).text()
const json = { 'content-type': 'application/json' }

it('a call that the client cancels ends at the server, too', async () => {
  const held = { open: 0, cut: 0 }
  const url = await serverThat(async ({ url: path }, response) => {
    if (path === '/openapi.json') return response.writeHead(200, json).end(await documentOf())
    held.open += 1
    return response.on('close', () => {
      held.cut += 1
    })
  })
  const { call, client } = await startMcp({ env: { ...env, SVC_URL: url } })
  const stop = new AbortController()
  const calling = call('projects_list', {}, stop.signal)
  calling.catch(() => {})
  await eventually(() => expect(held.open).toBe(1))
  stop.abort()
  await expect(calling).rejects.toThrow()
  await eventually(() => expect(held.cut).toBe(1))
  await client.ping()
})

describe('without a key', () => {
  it('lists tools, says in each call what to do, and needs no start once somebody logs in', async () => {
    const { home } = await newHome()
    const { call, names } = await startMcp({ env: { SVC_URL: node.apiUrl, HOME: home } })
    expect((await names()).length).toBeGreaterThan(10)
    expect(await call('projects_list')).toMatchObject({
      isError: true,
      data: { reason: 'not_logged_in', message: expect.stringContaining('svc login') },
    })
    expect((await call('status')).data).toMatchObject({
      logged_in: false,
      message: expect.stringContaining('svc login'),
    })
    await mkdir(join(home, '.config/svc'), { recursive: true })
    const config = JSON.stringify({ url: node.apiUrl, tokens: { [node.apiUrl]: team.ownerKey } })
    await writeFile(join(home, '.config/svc/credentials.json'), config, { mode: 0o600 })
    expect(await call('projects_list')).toMatchObject({ isError: false })
  })

  it('and with a wrong one says so, without repeating it', async () => {
    const { call } = await startMcp({ env: { ...env, SVC_TOKEN: 'svc_wrong' } })
    const { data, text: said } = await call('projects_list')
    expect(data).toMatchObject({ reason: 'unauthorized', message: expect.stringContaining('svc login') })
    expect(said).not.toContain('svc_wrong')
  })
})

it('without a server it lists what is left, and the rest once the server responds', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { client, call, names } = await startMcp({ env: { ...env, SVC_URL: url }, args: ['--write'] })
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1
  })
  expect((await names()).sort()).toEqual(['deploy_directory', 'rollback', 'status'])
  for (const name of ['status', 'projects_list']) {
    expect(await call(name)).toMatchObject({
      isError: true,
      data: { reason: 'server_away', message: expect.stringContaining(url) },
    })
  }
  await serverThat(async ({ url: path }, response) => {
    const answer = await fetch(`${node.apiUrl}${path}`)
    response.writeHead(answer.status, json).end(await answer.text())
  }, port)
  expect(await call('status')).toMatchObject({ isError: false })
  await eventually(() => expect(changes).toBe(1))
  expect((await names()).length).toBeGreaterThan(20)
})

it('a server that says of no response that it has a secret gets tools that read alone', async () => {
  const url = await serverThat(async (_request, response) =>
    response.writeHead(200, json).end((await documentOf()).replaceAll('"format":"password"', '"format":"x"')),
  )
  const { client } = await startMcp({ env: { ...env, SVC_URL: url }, args: ['--write'] })
  const { tools } = await client.listTools()
  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint)
  expect(changing.map(({ name }) => name)).toEqual(['deploy_directory', 'rollback'])
  expect(tools.length).toBeGreaterThan(10)
})

it('writes nothing but the protocol to standard output, and nothing to standard error', async () => {
  const child = await startRaw(env)
  const output = text(child.stdout ?? process.stdin)
  const errors = text(child.stderr ?? process.stdin)
  const send = (id: number, method: string, params = {}) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  const answered = once(child.stdout ?? child, 'data')
  send(1, 'tools/list')
  await answered
  child.stdin?.end()
  for (const line of (await output).trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', id: 1 })
  expect(await errors).toBe('')
})
