/** Closing a connection after its last response, on a bare socket whose client goes on sending. */
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { closeInStages } from '../../../src/lib/net/close-in-stages.ts'
import { bind } from '../../../src/lib/net/listen.ts'

/** More than a client's system takes that doesn't read, and less than the server's takes that sends. */
const body = Buffer.alloc(360_000, 'x')
const lastRequest = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

async function sendLastRequest(lingerMs: number) {
  const targets: string[] = []
  const events = new EventEmitter()
  const server = createServer((request, response) => {
    targets.push(request.url ?? '')
    response.end(body, () => events.emit('sent'))
  })
  server.on('connection', (socket) => events.emit('connection', socket))
  closeInStages(server, lingerMs)
  const port = await bind(server, { port: 0, host: '127.0.0.1', setting: 'SVC_PORT' })
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const [connected, sent] = [once(events, 'connection'), once(events, 'sent')]
  client.write(lastRequest)
  const [connection]: Socket[] = await connected
  if (!connection) throw new Error('There is no connection.')
  await sent
  return { client, connection, targets }
}

it('a client that goes on sending gets the whole response', async () => {
  const { client, connection } = await sendLastRequest(10_000)
  const before = connection.bytesRead
  client.write('more')
  await expect.poll(() => connection.bytesRead).toBe(before + 4)
  client.end('and more')
  const received = await buffer(client)
  expect(received.subarray(received.indexOf('\r\n\r\n') + 4).equals(body)).toBe(true)
  await expect.poll(() => connection.destroyed).toBe(true)
})

it('a request behind the last one does not run', async () => {
  const { client, connection, targets } = await sendLastRequest(10_000)
  client.end('GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await Promise.all([buffer(client), once(connection, 'close')])
  expect(targets).toEqual(['/'])
})

it('a client that closes nothing is disconnected', async () => {
  const { client, connection } = await sendLastRequest(50)
  client.on('error', () => {})
  client.resume()
  await once(connection, 'close')
})
