/** Requests that are sent on without reading: Node takes those of one packet at once. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { noteResponses, responsesBehind } from '../../src/net/latest-response.ts'

const bodyBytes = 50_000
const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

async function listen(handle: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(handle)
  noteResponses(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, server }
}

/** Sends requests in one packet, and reads nothing. */
async function pipeline(port: number, requests: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).pause()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(request.repeat(requests))
  return socket
}

it('a connection with more than 256 responses behind others is ended', async () => {
  let served = 0
  const { port, server } = await listen((_, response) => {
    if (response.req.socket.destroyed) return
    served += 1
    response.end(Buffer.alloc(bodyBytes))
  })
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
  await pipeline(port, 1_500)
  await closed
  expect(served).toBeLessThan(500)
})

it('a client that reads gets the responses to fifty requests of one packet, and is counted meanwhile', async () => {
  const behind: number[] = []
  const { port } = await listen(({ socket }, response) => {
    behind.push(responsesBehind(socket))
    response.end(Buffer.alloc(bodyBytes, 'x'))
  })
  const socket = await pipeline(port, 50)
  await expect.poll(() => behind.length).toBe(50)
  expect(behind.at(-1)).toBeGreaterThan(1)
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += String(chunk).replaceAll(/[^x]/g, '').length
  })
  socket.resume()
  await expect.poll(() => bytes).toBe(50 * bodyBytes)
})
