import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { lingerAfterResponse } from '../../../../src/api/server/http/linger.ts'
import { defaultTimeouts } from '../../../../src/api/server/http/timeouts.ts'

const bodyMs = 100

/** Responds before it has read a body, on a connection that goes on. */
async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    if (!request.complete) lingerAfterResponse(request, response, { ...defaultTimeouts, bodyMs })
    response.end(request.url)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const post = (body: string) => `POST /first HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n${body}`

it.each([
  ['with its head', '1234567890', ''],
  ['after the response', '12345', '67890'],
])('a connection goes on for as long as it likes once a body has come: %s', async (_when, first, rest) => {
  const socket = connect({ port: await listen(), host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (chunk) => (received += chunk))
  socket.write(post(first))
  await expect.poll(() => received).toContain('/first')
  socket.write(rest)
  await sleep(bodyMs * 3)
  socket.write('GET /second HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => received).toContain('/second')
})

it('a connection ends where the rest of a body takes too long', async () => {
  const socket = connect({ port: await listen(), host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.write(post('12345'))
  await once(socket.resume(), 'end')
})
