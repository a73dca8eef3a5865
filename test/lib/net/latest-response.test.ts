/** Requests that are sent on without reading: Node takes those of one packet at once. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { inTurn, isEnding, noteResponses, responsesBehind } from '../../../src/lib/net/latest-response.ts'

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

it('of more than 256 requests behind another, the first are answered before the end', async () => {
  let served = 0
  const { port } = await listen(async (_, response) => {
    if (isEnding(response.req.socket)) return
    served += 1
    await setImmediate()
    response.end('x'.repeat(bodyBytes))
  })
  const socket = await pipeline(port, 1_500)
  await expect.poll(() => served).toBe(257)
  socket.resume()
  const sent = await text(socket)
  expect(served).toBe(257)
  expect(sent.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(257)
  expect(sent.endsWith('x'.repeat(bodyBytes))).toBe(true)
})

it('they are handled one after another, and those of other connections meanwhile', async () => {
  const order: string[] = []
  let release = () => {}
  const other = new Promise<void>((resolve) => {
    release = resolve
  })
  const { port } = await listen(({ url = '' }, response) =>
    inTurn(response, async () => {
      order.push(`begin ${url}`)
      if (url === '/other') release()
      else await other
      order.push(`end ${url}`)
      response.end('x')
    }),
  )
  const socket = await pipeline(port, 100)
  socket.resume()
  await expect.poll(() => order).toEqual(['begin /'])
  const second = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void second.destroy())
  second.write(request.replace('/', '/other'))
  await expect.poll(() => order.length).toBe(2 * 101)
  const rest = Array.from({ length: 99 }, () => ['begin /', 'end /']).flat()
  expect(order).toEqual(['begin /', 'begin /other', 'end /other', 'end /', ...rest])
})

it('those behind the end of a connection are not handled', async () => {
  let served = 0
  const { port } = await listen((_, response) =>
    inTurn(response, () => {
      served += 1
      response.setHeader('connection', 'close')
      response.end('x')
    }),
  )
  const socket = await pipeline(port, 50)
  socket.resume()
  await text(socket)
  await setImmediate()
  expect(served).toBe(1)
})

it('nor are requests of later packets answered', async () => {
  let served = 0
  const { port } = await listen((_, response) => {
    if (isEnding(response.req.socket)) return
    served += 1
    response.end('x')
  })
  const socket = await pipeline(port, 1_500)
  socket.write(request.repeat(5_000))
  socket.resume()
  expect((await text(socket)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(served)
  expect(served).toBeGreaterThan(256)
})

it('a client that reads gets fifty responses to one packet, and is counted meanwhile', async () => {
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
