/** Requests with an upgrade on connections that go on, one after another. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ignoreUpgrades } from '../../../src/lib/net/ignore-upgrades.ts'
import { noteResponses } from '../../../src/lib/net/latest-response.ts'

const server = createServer()
let accepted = 0
let port: number
/** Called with what ends the response. */
let answer: (end: () => void) => void = (end) => end()

server.on('request', (request, response) => {
  request.resume().on('end', () => answer(() => response.end(`${request.url};`)))
})
ignoreUpgrades(server)
noteResponses(server)
server.on('connection', () => {
  accepted += 1
})

beforeEach(async () => {
  accepted = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})

afterEach(async () => {
  answer = (end) => end()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const upgrade = (path: string, ...fields: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: upgrade', 'Upgrade: x', ...fields, '', ''].join('\r\n')

/** Resolves to the bodies of `count` responses. */
async function receive(socket: Socket, count: number): Promise<string[]> {
  let text = ''
  const bodies = () => [...text.matchAll(/\r\n\r\n(\/\w+);/g)].map(([, path = '']) => path)
  while (bodies().length < count) text += String((await once(socket, 'data'))[0])
  return bodies()
}

it('any number of upgrades leaves nothing behind, and the connection is one', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  const socket = connect(port, '127.0.0.1')
  const paths = Array.from({ length: 40 }, (_, at) => `/p${at}`)
  for (const path of paths) {
    socket.write(`${upgrade(path, 'Content-Length: 2')}{}`)
    expect(await receive(socket, 1)).toEqual([path])
  }
  socket.write(paths.map((path) => upgrade(path)).join(''))
  expect(await receive(socket, paths.length)).toEqual(paths)
  await new Promise(setImmediate)
  process.off('warning', warn)
  socket.destroy()
  expect(warnings).toEqual([])
  expect(accepted).toBe(1)
})

it('an upgrade waits for the response before it', async () => {
  const begun: (() => void)[] = []
  const first = new Promise<void>((resolve) => {
    answer = (end) => {
      begun.push(end)
      resolve()
    }
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(upgrade('/one') + upgrade('/two') + upgrade('/three'))
  await first
  // Whatever waits for nothing has its turn.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  expect(begun).toHaveLength(1)
  answer = (end) => end()
  begun[0]?.()
  expect(await receive(socket, 3)).toEqual(['/one', '/two', '/three'])
  socket.destroy()
})

it('a client that resets the connection meanwhile harms nobody', async () => {
  const begun = new Promise<() => void>((resolve) => {
    answer = resolve
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(upgrade('/one') + upgrade('/two'))
  const end = await begun
  socket.resetAndDestroy()
  await once(socket, 'close')
  end()
  answer = (done) => done()
  const other = connect(port, '127.0.0.1')
  other.write(upgrade('/three'))
  expect(await receive(other, 1)).toEqual(['/three'])
  other.destroy()
})
