import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { connectRaw, head, type RawAnswer, type RawConnection } from './raw-http.ts'

const timeouts = {
  ...defaultTimeouts,
  headersMs: 400,
  bodyMs: 400,
  uploadWindowMs: 400,
  // One byte in that time.
  uploadBytesPerSecond: 2.5,
  requestMs: 6_000,
  idleMs: 6_000,
  checkMs: 50,
  lingerMs: 300,
}

/** Far from `requestMs`, and from the other times too, on however slow a machine. */
const soonMs = 4_000

let node: TestNode
let team: TestTeam
let auth: string

beforeAll(async () => {
  // Without a worker, which would look for files of other nodes on this database.
  node = await startTestNode({ SVC_ROLES: 'api,edge' }, { timeouts })
  team = await newTeam(node)
  auth = `Authorization: Bearer ${team.ownerKey}`
})

afterAll(() => node.stop())

function expectTimeout(answer: RawAnswer, what: 'request' | 'body'): void {
  expect(answer.status).toBe(408)
  expect(answer.headers.get('connection')).toBe('close')
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'TIMEOUT', reason: 'request_timeout' })
  expect(JSON.parse(answer.body).message).toContain(`The ${what} arrived too slowly.`)
  expect(JSON.parse(answer.body).request_id).toBe(answer.headers.get('x-request-id'))
}

/** Sends a byte of `rest` every 50 ms for as long as the connection is open. */
function trickle(connection: RawConnection, rest: string): void {
  let sent = 0
  const timer = setInterval(() => {
    if (connection.socket.destroyed) clearInterval(timer)
    else connection.send(rest[sent++ % rest.length] ?? '')
  }, 50)
}

async function uploadPath(content: string): Promise<string> {
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const files = [{ path: 'a', sha256, size: content.length }]
  const { body } = await team.owner('POST', '/v1/deployments', { project, files })
  const { pathname, search } = new URL(body.missing[0].upload_url)
  return pathname + search
}

describe.concurrent('408, and the connection is closed', () => {
  it.each([
    ['when nothing is sent', '', undefined],
    ['when the headers stop', 'GET /healthz HTTP/1.1\r\nHost: loc', undefined],
    ['when the headers trickle', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ', 'a'],
  ])('%s', async (_when, bytes, rest) => {
    const startMs = performance.now()
    const connection = await connectRaw(node)
    if (bytes !== '') connection.send(bytes)
    if (rest !== undefined) trickle(connection, rest)
    expectTimeout(await connection.answer(), 'request')
    expect(performance.now() - startMs).toBeLessThan(soonMs)
    await connection.ended()
    connection.socket.destroy()
  })

  it.each(['/v1/projects/slow', '/trpc/projects.put'])('when a JSON body trickles: %s', async (path) => {
    const connection = await connectRaw(node)
    const method = path.startsWith('/trpc') ? 'POST' : 'PUT'
    connection.send(
      head(`${method} ${path}`, auth, 'Content-Type: application/json', 'Content-Length: 100000'),
    )
    trickle(connection, ' ')
    const answer = await connection.answer()
    expect(answer.status).toBe(408)
    expect(answer.body).toContain('"reason":"request_timeout"')
    expect(answer.body).toContain('The body arrived too slowly.')
    await connection.ended()
    connection.socket.destroy()
  })

  it('when a JSON body stops between chunks', async () => {
    const connection = await connectRaw(node)
    connection.send(
      head('PUT /v1/projects/slow', auth, 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
    )
    connection.send('1\r\n{\r\n')
    expectTimeout(await connection.answer(), 'body')
    await connection.ended()
  })

  it('when an upload stops', async () => {
    const content = unique('content')
    const path = await uploadPath(content)
    const connection = await connectRaw(node)
    connection.send(head(`PUT ${path}`, `Content-Length: ${content.length}`) + content.slice(0, 5))
    expectTimeout(await connection.answer(), 'body')
    await connection.ended()
  })
})

it('a slow upload whose next bytes arrive in time is accepted', async () => {
  const content = unique('content')
  const path = await uploadPath(content)
  const connection = await connectRaw(node)
  connection.send(head(`PUT ${path}`, `Content-Length: ${content.length}`))
  trickle(connection, content)
  expect((await connection.answer()).status).toBe(200)
  connection.socket.destroy()
})

it('other clients are answered at once while 200 are slow', async () => {
  // Its time limits are long enough for all of them to hang until the end.
  const patient = await sharedNode()
  const { owner } = await newTeam(patient)
  const slow = await Promise.all(Array.from({ length: 200 }, () => connectRaw(patient)))
  for (const [i, connection] of slow.entries()) {
    if (i % 2 === 0) connection.send('GET /healthz HTTP/1.1\r\nX-A: ')
    else connection.send(head('PUT /v1/projects/slow', auth, 'Transfer-Encoding: chunked'))
  }
  const tookMs: number[] = []
  for (let i = 0; i < 100; i += 1) {
    const startMs = performance.now()
    expect((await owner('GET', '/v1/projects')).status).toBe(200)
    tookMs.push(performance.now() - startMs)
  }
  // The 99th percentile.
  expect(tookMs.toSorted((a, b) => a - b).at(-2)).toBeLessThan(1_000)
  for (const { socket } of slow) socket.destroy()
})

it('a client that was refused and never closes its side is disconnected', async () => {
  const connection = await connectRaw(node)
  connection.socket.allowHalfOpen = true
  const fields = [auth, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  connection.send(`${head('PUT /v1/projects/a', ...fields)}nonsense\r\n`)
  expect((await connection.answer()).status).toBe(400)
  expect(serverSides(connection)).toHaveLength(1)
  await expect.poll(() => serverSides(connection), { timeout: soonMs }).toEqual([])
  expect(connection.socket.destroyed).toBe(false)
  connection.socket.destroy()
})

/** The server's end of this connection, which is in this process too. */
function serverSides({ socket }: RawConnection): Socket[] {
  const handles: unknown[] = Reflect.get(process, '_getActiveHandles').call(process)
  return handles
    .filter((handle) => handle instanceof Socket)
    .filter(({ remotePort }) => remotePort === socket.localPort)
}

it('and none of this is logged as an internal error', () => {
  expect(node.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
