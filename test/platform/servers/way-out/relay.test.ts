/** Bytes between the socket of a server and that of the place that it connected to. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { relay } from '../../../../src/platform/servers/way-out/relay.ts'
import { eventually } from '../../../support/eventually.ts'

const mebibyte = 1024 * 1024

let server: Server
const accepted: Socket[] = []
beforeEach(async () => {
  server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => accepted.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.close()
  for (const socket of accepted.splice(0)) socket.destroy()
})

/** The two ends of a connection. */
async function pair(): Promise<[client: Socket, inside: Socket]> {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const before = accepted.length
  await once(client, 'connect')
  await eventually(() => expect(accepted.length).toBe(before + 1))
  const inside = accepted[before]
  if (!inside) throw new Error('Nothing was accepted.')
  for (const socket of [client, inside]) socket.on('error', () => {})
  return [client, inside]
}

async function related(spend: (bytes: number) => number = () => 0) {
  const [[client, inner], [outer, place]] = [await pair(), await pair()]
  relay(inner, outer, spend)
  return { client, inner, outer, place }
}

it('each end arrives as one, and the other side may go on', async () => {
  const { client, place } = await related()
  client.end('question')
  place.resume()
  await once(place, 'end')
  place.end('answer')
  const [chunk] = await once(client, 'data')
  expect(String(chunk)).toBe('answer')
  await once(client, 'end')
})

it('a side that reads nothing stops the other one', async () => {
  const { client, inner } = await related()
  let sent = 0
  const chunk = Buffer.alloc(mebibyte)
  const go = () => {
    while (sent < 64 && client.write(chunk)) sent += 1
    sent += 1
  }
  client.on('drain', go)
  go()
  await eventually(() => expect(inner.isPaused()).toBe(true))
  expect(inner.bytesRead).toBeLessThan(32 * mebibyte)
})

it('rests for as long as there are to be no more bytes', async () => {
  const { client, inner, place } = await related((bytes) => (bytes > 0 ? 3_600_000 : 0))
  place.resume()
  client.write(Buffer.alloc(mebibyte))
  await eventually(() => expect(inner.isPaused()).toBe(true))
  expect(inner.bytesRead).toBeLessThan(mebibyte)
})

it('a reset is one for the other side, too, and so is the end of the server', async () => {
  const first = await related()
  first.place.resetAndDestroy()
  const [error] = await once(first.client.resume(), 'error')
  expect(error).toMatchObject({ code: 'ECONNRESET' })
  const second = await related()
  second.inner.destroy()
  await once(second.place.resume(), 'end')
})
