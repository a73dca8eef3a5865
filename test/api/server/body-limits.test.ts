import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { connectRaw, exchange, head, type RawAnswer, type RawConnection } from './raw-http.ts'

const mebibyte = 1024 * 1024
const json = 'Content-Type: application/json'

let node: TestNode
let team: TestTeam
let auth: string
let maxBytes: number

beforeAll(async () => {
  // Without a worker, which would log that files of other nodes on this database are missing.
  node = await startTestNode({ SVC_ROLES: 'api,edge' }, { timeouts: { ...defaultTimeouts, lingerMs: 300 } })
  team = await newTeam(node)
  auth = `Authorization: Bearer ${team.ownerKey}`
  maxBytes = node.settings.SVC_MAX_JSON_BYTES
})

afterAll(() => node.stop())

function expectRefusal({ status, body }: RawAnswer, expected: number, reason: string): void {
  expect({ status, reason: /"reason":"(\w+)"/.exec(body)?.[1] }).toEqual({ status: expected, reason })
}

/** Sends up to `bytes` as fast as it can, like a client that doesn't read the response before it is done. */
async function flood({ socket }: RawConnection, piece: Buffer, bytes: number): Promise<number> {
  let sent = 0
  while (sent < bytes && !socket.destroyed && socket.writable) {
    sent += piece.length
    if (socket.write(piece)) continue
    await new Promise<void>((resolve) => {
      const go = () => {
        socket.off('drain', go).off('close', go)
        resolve()
      }
      socket.on('drain', go).on('close', go)
    })
  }
  return sent
}

function chunk(size: number): Buffer {
  return Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    Buffer.alloc(size, ' '),
    Buffer.from('\r\n'),
  ])
}

describe.each([
  ['REST', 'PUT', () => `/v1/projects/${unique('big')}`],
  ['RPC', 'POST', () => '/trpc/projects.put'],
])('a JSON body over the limit, %s', (_surface, method, path) => {
  it('413 by its length, to a client that sends all of it before it reads', async () => {
    const connection = await connectRaw(node)
    connection.send(head(`${method} ${path()}`, auth, json, `Content-Length: ${maxBytes + 1}`))
    const sending = flood(connection, Buffer.alloc(mebibyte, ' '), maxBytes + 1)
    expectRefusal(await connection.answer(), 413, 'body_too_large')
    await sending
    connection.socket.destroy()
  })

  it('413 by its length, before a byte of it is sent', async () => {
    const bytes = head(`${method} ${path()}`, auth, json, `Content-Length: ${maxBytes + 1}`)
    expectRefusal(await exchange(node, bytes), 413, 'body_too_large')
  })

  it('413 for endless chunks: the connection is closed, and memory use stays low', async () => {
    const connection = await connectRaw(node)
    const before = process.memoryUsage()
    connection.send(head(`${method} ${path()}`, auth, json, 'Transfer-Encoding: chunked'))
    const sending = flood(connection, chunk(mebibyte), Number.POSITIVE_INFINITY)
    expectRefusal(await connection.answer(), 413, 'body_too_large')
    await sending
    expect(connection.socket.writable).toBe(false)
    const after = process.memoryUsage()
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(maxBytes * 6)
  })

  it('400 with a Content-Encoding, whatever its decoded size', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * mebibyte, ' '))
    const bytes = head(
      `${method} ${path()}`,
      auth,
      json,
      'Content-Encoding: gzip',
      `Content-Length: ${bomb.length}`,
    )
    const answer = await exchange(node, Buffer.concat([Buffer.from(bytes), bomb]))
    expectRefusal(answer, 400, 'unsupported_content_encoding')
  })
})

it('a JSON body of exactly the limit is accepted', async () => {
  const body = '{}'.padEnd(maxBytes, ' ')
  const bytes = head(`PUT /v1/projects/${unique('big')}`, auth, json, `Content-Length: ${maxBytes}`)
  expect((await exchange(node, bytes + body)).status).toBe(200)
})

it('Content-Encoding: identity is accepted', async () => {
  const bytes = head(
    `PUT /v1/projects/${unique('plain')}`,
    auth,
    json,
    'Content-Encoding: identity',
    'Content-Length: 2',
  )
  expect((await exchange(node, `${bytes}{}`)).status).toBe(200)
})

describe('an anonymous client', () => {
  it('gets a 401 before its body of 9 MiB is read', async () => {
    const connection = await connectRaw(node)
    connection.send(head('POST /v1/deployments', json, `Content-Length: ${9 * mebibyte}`))
    expectRefusal(await connection.answer(), 401, 'unauthorized')
    connection.socket.destroy()
  })

  it('gets a 401 also when it sends all of its body, which is not JSON, before it reads', async () => {
    const connection = await connectRaw(node)
    connection.send(head('POST /trpc/deployments.create', json, `Content-Length: ${9 * mebibyte}`))
    const sending = flood(connection, Buffer.alloc(mebibyte, '{'), 9 * mebibyte)
    expectRefusal(await connection.answer(), 401, 'unauthorized')
    await sending
    connection.socket.destroy()
  })

  it('may use the connection again once all of the body has arrived', async () => {
    const connection = await connectRaw(node)
    connection.send(`${head('POST /v1/deployments', json, 'Content-Length: 2')}{}${head('GET /healthz')}`)
    expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([401, 200])
    connection.socket.destroy()
  })

  it('is disconnected when it sends without end', async () => {
    const connection = await connectRaw(node)
    connection.send(head('POST /nothing', 'Transfer-Encoding: chunked'))
    const sending = flood(connection, chunk(mebibyte), Number.POSITIVE_INFINITY)
    expectRefusal(await connection.answer(), 404, 'unknown_path')
    await sending
    expect(connection.socket.writable).toBe(false)
  })
})

describe('a client that disconnects in the middle of a body', () => {
  it('leaves no project', async () => {
    const project = unique('gone')
    const connection = await connectRaw(node)
    connection.send(`${head(`PUT /v1/projects/${project}`, auth, json, 'Content-Length: 3')}{}`)
    connection.socket.end()
    await connection.ended()
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it('leaves no part of an upload, nor a quota reservation', async () => {
    const project = unique('site')
    await team.owner('PUT', `/v1/projects/${project}`)
    const files = [{ path: 'a', sha256: 'a'.repeat(64), size: 3 * mebibyte }]
    const { body } = await team.owner('POST', '/v1/deployments', { project, files })
    const { pathname, search } = new URL(body.missing[0].upload_url)

    const incoming = join(node.settings.SVC_DATA_DIR, 'blobs', 'incoming')
    const connection = await connectRaw(node)
    connection.send(head(`PUT ${pathname}${search}`, `Content-Length: ${3 * mebibyte}`))
    connection.send(Buffer.alloc(mebibyte))
    await expect.poll(() => readdir(incoming)).toHaveLength(1)
    connection.socket.resetAndDestroy()
    await expect.poll(() => readdir(incoming)).toEqual([])
    const again = await team.owner('POST', '/v1/deployments', { project, files })
    expect(again.body.reason).toBe('files_missing')
  })

  it('causes no error in the log', () => {
    expect(node.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})
