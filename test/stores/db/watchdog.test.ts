import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWatchdog, type Watchdog } from '../../../src/stores/db/watchdog.ts'
import { eventually } from '../../support/eventually.ts'

/** A server that accepts connections, and is silent. */
let server: Server
let accepted: Socket[]
let watchdog: Watchdog
let lines: string[]
let isAlive: boolean
let probes: number

/** Three times as fast as the system's, so that tests take a third of the time. */
const now = () => performance.now() * 3

const limitMs = 4_000

beforeEach(async () => {
  accepted = []
  server = createServer((socket) => accepted.push(socket.on('error', () => {}).resume()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  lines = []
  isAlive = true
  probes = 0
  const add = (_fields: unknown, message?: string) => void lines.push(message ?? String(_fields))
  watchdog = createWatchdog({
    probe: async () => {
      probes += 1
      if (!isAlive) throw new Error('silent')
    },
    limitMs,
    log: { info: add, warn: add },
    now,
  })
})

afterEach(async () => {
  watchdog.stop()
  for (const socket of accepted) socket.destroy()
  server.close()
})

async function openSocket(): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = watchdog.openSocket({ host: ['127.0.0.1'], port: [port] })
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  return socket
}

/** Something that waits, and how it failed. */
function wait(hasBegun = false) {
  const waiting = { failed: '' }
  const done = watchdog.watch({
    hasBegun: () => hasBegun,
    fail(error) {
      waiting.failed = error.message
      done()
    },
  })
  return { waiting, done }
}

const silent = 'The database does not respond.'

it('waiting queries fail once the server is silent and ignores a probe; more are refused', async () => {
  const socket = await openSocket()
  const { waiting } = wait(true)
  isAlive = false
  await eventually(() => expect(waiting.failed).toBe(silent))
  expect(watchdog.refusal()?.message).toBe(silent)
  expect(socket.destroyed).toBe(true)
  isAlive = true
  await eventually(() => expect(watchdog.refusal()).toBeUndefined())
  expect(lines).toEqual([
    'The database does not respond: what needs it is refused until it does.',
    'The database responds again.',
  ])
})

it('nothing is probed as long as anything arrives, or nothing waits', async () => {
  await openSocket()
  await sleep(600)
  const { done } = wait()
  const [far] = accepted
  for (let i = 0; i < 12; i += 1) {
    far?.write('x')
    await sleep(50)
  }
  done()
  await sleep(600)
  expect(probes).toBe(0)
})

it('a server that answers a probe is only slow', async () => {
  const socket = await openSocket()
  const { waiting, done } = wait()
  await eventually(() => expect(probes).toBeGreaterThan(0))
  expect(waiting.failed).toBe('')
  expect(socket.destroyed).toBe(false)
  done()
})

it('a connection that stays silent is closed, and the call fails, although the server lives', async () => {
  const dead = await openSocket()
  const live = await openSocket()
  const talk = setInterval(() => accepted[1]?.write('x'), 50)
  const [{ waiting: query }, { waiting: transaction, done }] = [wait(), wait(true)]
  await eventually(() => expect(query.failed).toBe(silent))
  expect([dead.destroyed, live.destroyed]).toEqual([true, false])
  // It ends with its connection.
  expect(transaction.failed).toBe('')
  done()
  clearInterval(talk)
  expect(watchdog.refusal()).toBeUndefined()
})
