/** `svc` on a server whose rate limit is used up: it waits, and prints why. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { announceWait } from '../../src/cli/connection/announce-wait.ts'
import { visit } from '../platform/deployments/steps.ts'
import { startTestNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_RATE_FREE: '1/1' })
})

afterAll(() => node.stop())

/** The address of a proxy to the node that drains the bucket right before each call, once. */
async function usedUp(team: TestTeam): Promise<{ url: string; statuses: number[] }> {
  const statuses: number[] = []
  const seen = new Set<string>()
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    const names = ['authorization', 'content-type', 'idempotency-key']
    const headers = Object.fromEntries(
      names.flatMap((name) => (incoming.headers[name] ? [[name, String(incoming.headers[name])]] : [])),
    )
    const call = `${incoming.url} ${incoming.headers['idempotency-key']}`
    if (!seen.has(call)) await team.owner('GET', '/v1/projects')
    seen.add(call)
    const response = await fetch(new URL(incoming.url ?? '', node.apiUrl), {
      method: incoming.method ?? 'GET',
      headers,
      ...(body.length > 0 && { body }),
    })
    statuses.push(response.status)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: await addressOf(server), statuses }
}

async function addressOf(server: Server): Promise<string> {
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}

it('deploys through an empty bucket: calls wait for their turn', { tags: 'long' }, async () => {
  const team = await newTeam(node)
  const { home, svc } = await newHome()
  const site = join(home, 'site')
  await mkdir(site)
  // Too large to be sent in the call, so that it is uploaded and the call is repeated.
  const large = 'x'.repeat(8 * 1024 * 1024)
  await writeFile(join(site, 'index.html'), 'hello')
  await writeFile(join(site, 'large.txt'), large)
  const { url, statuses } = await usedUp(team)
  const env = { SVC_URL: url, SVC_TOKEN: team.ownerKey }
  const { code, stdout, stderr } = await svc(['deploy', site, '--project', 'web', '--prod'], { env })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).toMatch(/^Waiting \d s: too many requests\.$/m)
  expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'hello' })
  // A query for the project, its creation, the deployment without a file, that file, the deployment again.
  expect(statuses.filter((status) => status !== 429)).toEqual([404, 200, 400, 200, 200])
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2)
})

it('ends a wait on Ctrl-C', async () => {
  const { svc } = await newHome()
  const data = { code: 'TOO_MANY_REQUESTS', reason: 'rate_limited', httpStatus: 429, retry_after_ms: 30_000 }
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: -32_600, message: 'busy', data } }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  const url = await addressOf(server)
  const { code, stderr } = await svc(['projects'], {
    env: { SVC_URL: url, SVC_TOKEN: 'svc_a' },
    started: (child) => child.stderr?.once('data', () => child.kill('SIGINT')),
  })
  expect(code).toBe(130)
  expect(stderr).toMatch(/^Waiting 3\d s: too many requests\.\n/)
})

it('shows the wait at a terminal as one line, which Ctrl-C removes', async () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const stop = new AbortController()
  const io = { stderr: z.custom<NodeJS.WriteStream>().parse(stderr), env: {}, signal: stop.signal }
  const announce = announceWait(io)
  announce(499, 'too many requests')
  announce(2_100, 'too many requests')
  stop.abort()
  expect(stderr.read().toString()).toBe('\rWaiting 3 s: too many requests.\u001b[K\r\u001b[K')
})
