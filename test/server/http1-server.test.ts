/** The server of HTTP/1.1 alone, with an answer that takes a while to go out. */
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { bind } from '../../src/net/listen.ts'
import { defaultTimeouts } from '../../src/server/deps.ts'
import { createHttp1Server } from '../../src/server/http/http1-server.ts'
import { head } from './raw-http.ts'

/** More than the system takes off the server's hands for a client that doesn't read. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x')

it('an answer under way goes whole when its client sends something malformed, more of it, and closes its side', async () => {
  const events = new EventEmitter()
  const tellRefused = (status: number) => void events.emit('refused', status)
  const server = createHttp1Server(defaultTimeouts, (_, response) => response.end(large), tellRefused)
  server.on('connection', (socket) => {
    for (const event of ['end', 'close']) socket.on(event, () => events.emit('ended'))
  })
  const port = await bind(server, { port: 0, host: '127.0.0.1', setting: 'SVC_PORT' })
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })

  const [begun, refused, ended] = [once(server, 'request'), once(events, 'refused'), once(events, 'ended')]
  socket.write(head('POST /', 'Transfer-Encoding: chunked'))
  await begun
  socket.write('no chunk\r\n')
  expect(await refused).toEqual([400])
  socket.end('nor this\r\n')
  await ended
  const received = await buffer(socket)
  const start = received.indexOf('\r\n\r\n') + 4
  expect(received.subarray(start, start + large.length).equals(large)).toBe(true)
})
