/** The HTTP/1.1 server alone, with a response that takes a while to send. */
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createHttp1Server } from '../../../src/api/server/http/http1-server.ts'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { bind } from '../../../src/lib/net/listen.ts'
import { head } from './raw-http.ts'

/** More than the system's buffers hold for a client that doesn't read. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x')

it('a response under way is sent whole when its client sends malformed bytes and half-closes', async () => {
  const events = new EventEmitter()
  const reportRefused = (status: number) => void events.emit('refused', status)
  const server = createHttp1Server(defaultTimeouts, (_, response) => response.end(large), reportRefused)
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

it('bytes that a client sends after its last response are read until it ends', async () => {
  const server = createHttp1Server(
    defaultTimeouts,
    (_, response) => response.end('done'),
    () => {},
  )
  const port = await bind(server, { port: 0, host: '127.0.0.1', setting: 'SVC_PORT' })
  onTestFinished(() => void server.close())
  const errors: Error[] = []
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', (error) => errors.push(error)).resume()
  socket.write(head('GET /', 'Connection: close'))
  await once(socket, 'end')
  socket.write('more')
  // By then a reset would have arrived.
  await (await fetch(`http://127.0.0.1:${port}/`)).text()
  socket.end('and more')
  if (!socket.closed) await once(socket, 'close')
  expect(errors).toEqual([])
})
