/** Streams and WebSockets of protected sites, which end when their visitor's right does. */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerOf } from '../caller.ts'
import { sendRequest, untilClosed } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import { type Origin, startOrigin } from './origin.ts'
import { createTestServers, type TestServers } from './servers.ts'

const secret = 'secret-of-at-least-32-characters!'

let edge: Edge
let own: Origin
let other: Origin
let servers: TestServers

const stream = (_req: unknown, res: ServerResponse) => {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.write('data: 1\n\n')
}

beforeAll(async () => {
  own = await startOrigin(stream, 'socket')
  other = await startOrigin(stream)
  for (const { server } of [own, other])
    server.on('upgrade', (_req, socket: Socket) => {
      socket.on('error', () => {}).on('end', () => socket.destroy())
      socket.write('HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello')
    })
  servers = createTestServers(() => own)
  edge = await startEdge({ servers })
})

afterAll(async () => {
  await Promise.all([own.close(), other.close()])
  await edge.close()
})

type Kind = 'a rule' | 'its server'

async function protectedSite(kind: Kind, protection: 'all' | 'none' = 'all'): Promise<TestSite> {
  const site = await newSite(edge)
  const rules = kind === 'a rule' ? { _redirects: `/* ${other.url}/:splat 200` } : {}
  const { id } = await site.deploy(rules, { hasServer: kind === 'its server' })
  await site.promote(id)
  await site.configure({ protection, bypassSha256: hash('sha256', secret), bypassVersion: 1 })
  return site
}

/** Resolves to a function that says whether the stream has ended. */
async function openStream({ host }: TestSite, headers: Record<string, string>): Promise<() => boolean> {
  const sent = request({ port: edge.port, path: '/x', agent: false, headers: { host, ...headers } })
  sent.on('error', () => {})
  sent.end()
  const [reply]: [IncomingMessage] = (await once(sent, 'response')) as never
  expect(reply.statusCode).toBe(200)
  let hasEnded = false
  reply.on('error', () => {})
  reply.on('data', () => {})
  reply.once('close', () => {
    hasEnded = true
  })
  return () => hasEnded
}

async function openSocket({ host }: TestSite, headers: Record<string, string>): Promise<() => boolean> {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  const sent = request({
    port: edge.port,
    path: '/x',
    agent: false,
    headers: { host, ...upgrade, ...headers },
  })
  sent.end()
  const [, socket]: [unknown, Socket] = (await once(sent, 'upgrade')) as never
  let hasEnded = false
  untilClosed(socket).then(() => {
    hasEnded = true
  })
  socket.resume()
  return () => hasEnded
}

const bypass = { 'x-svc-bypass': secret }

describe.each(['a rule', 'its server'] as const)('what is passed on by %s', (kind) => {
  it.each([
    ['stream', openStream],
    ['WebSocket', openSocket],
  ])('a %s ends with the right of its visitor, and no other', async (_what, open) => {
    const site = await protectedSite(kind)
    const { headers } = await sendRequest(
      edge.port,
      site.host,
      `/?x-svc-bypass=${encodeURIComponent(secret)}`,
    )
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const authorization = 'Bearer svc_own'
    edge.callers.set(authorization, callerOf(site.teamId))
    const [byCookie, bySecret, byKey] = await Promise.all([
      open(site, { cookie }),
      open(site, bypass),
      open(site, { authorization }),
    ])
    edge.callers.delete(authorization)
    await expect.poll(byKey).toBe(true)
    expect([byCookie(), bySecret()]).toEqual([false, false])
    // Longer than it takes to look.
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([byCookie(), bySecret()]).toEqual([false, false])
    await site.configure({ bypassSha256: hash('sha256', 'another'), bypassVersion: 2 })
    await expect.poll(() => [byCookie(), bySecret()]).toEqual([true, true])
    await expect.poll(servers.leased).toBe(0)
  })

  it('a stream ends where protection is turned on for strangers', async () => {
    const site = await protectedSite(kind, 'none')
    const [stranger, friend] = await Promise.all([openStream(site, {}), openStream(site, bypass)])
    await site.configure({ protection: 'all' })
    await expect.poll(stranger).toBe(true)
    expect(friend()).toBe(false)
    await site.configure({ protection: 'none' })
  })

  it('a stream of what is protected no more goes on', async () => {
    const site = await protectedSite(kind)
    const friend = await openStream(site, bypass)
    await site.configure({ protection: 'none', bypassSha256: null })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(friend()).toBe(false)
  })
})
