/** What is left in memory of responses over HTTP/2 whose session has ended. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, createServer, type Http2ServerResponse, type Http2Session } from 'node:http2'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createDeliver } from '../../../../src/roles/edge/responses/deliver.ts'
import { createFileBlobStore } from '../../../../src/stores/blobs/file-store.ts'
import { until } from '../../../support/eventually.ts'
import { unique } from '../../../support/node.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const requests = 20
const streams: WeakRef<object>[] = []
const server = createServer()
let session: Http2Session
let port: number
let size = 0

beforeAll(async () => {
  const blobs = await createFileBlobStore(join(inject('directory'), unique('ended')))
  const deliver = createDeliver(blobs)
  server.on('session', (opened) => {
    session = opened
  })
  server.on('request', async (_request, response: Http2ServerResponse) => {
    streams.push(new WeakRef(response.stream))
    const bytes = randomBytes(size)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const object = await blobs.put('team', { sha256, size }, Readable.from([bytes]))
    // As the server of sessions hands them over.
    const res = response as unknown as ServerResponse
    const answer = { status: 200, headers: [], body: [{ start: 0, end: size - 1 }] }
    await deliver({ res, bytes: 0, cache: 'none' }, answer, { path: 'a', sha256, size, object })?.catch(
      () => {},
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  port = address.port
})

afterAll(() => void server.close())

it.each([10_000, 100_000, 1_000_000])('of %i bytes, which were not read: nothing', async (bytes) => {
  size = bytes
  streams.length = 0
  const client = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 1_000 } })
  const responses = Array.from({ length: requests }, () => {
    const stream = client.request({ ':path': '/' }).on('error', () => {})
    return once(stream.pause(), 'response')
  })
  client.on('error', () => {})
  await Promise.all(responses)
  session.destroy()
  await until(() => {
    collectGarbage()
    return streams.every((stream) => stream.deref() === undefined)
  })
  expect(streams).toHaveLength(requests)
})
