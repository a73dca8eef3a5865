/** TCP connections: how many there may be, and for how long. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createResponseRate } from '../../../../src/roles/nameserver/sockets/response-rate.ts'
import { listenTcp, type TcpLimits, type TcpServer } from '../../../../src/roles/nameserver/sockets/tcp.ts'
import { answersOn, framed, openTcp, query } from '../client.ts'

const calm: TcpLimits = { connections: 100, perAddress: 100, idleMs: 60_000, crowdedIdleMs: 60_000 }

type More = Partial<Pick<Parameters<typeof listenTcp>[0], 'respond' | 'verdict' | 'observe'>>

async function start(limits: Partial<TcpLimits>, more: More = {}): Promise<TcpServer> {
  const usual = { respond: (packet: Buffer) => packet, verdict: () => 'send' as const }
  const server = await listenTcp({
    ...usual,
    ...more,
    host: '127.0.0.1',
    port: 0,
    limits: { ...calm, ...limits },
  })
  onTestFinished(() => server.close(0))
  return server
}

const packet = framed(query('example.com', 'A'))

async function isAnswered(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return false
  socket.write(packet)
  return (await answersOn(socket, 1).catch(() => [])).length === 1
}

it('a client with too many connections loses the one that was idle longest', async () => {
  const { port } = await start({ perAddress: 3 })
  const first = await openTcp(port)
  const second = await openTcp(port)
  const third = await openTcp(port)
  expect(await isAnswered(first)).toBe(true)
  const fourth = await openTcp(port)
  await once(second.resume(), 'close')
  for (const each of [first, third, fourth]) expect(await isAnswered(each)).toBe(true)
})

it('with too many connections in total, the one that was idle longest is closed', async () => {
  const { port } = await start({ connections: 2 })
  const first = await openTcp(port)
  const second = await openTcp(port)
  const third = await openTcp(port)
  await once(first.resume(), 'close')
  expect(await isAnswered(second)).toBe(true)
  expect(await isAnswered(third)).toBe(true)
})

it('an idle connection is closed, and a partial query counts as idle', async () => {
  const { port } = await start({ idleMs: 300 })
  const silent = await openTcp(port)
  const dripping = await openTcp(port)
  const timer = setInterval(() => dripping.write(Buffer.alloc(1)), 50)
  await Promise.all([silent, dripping].map((each) => once(each.resume(), 'close')))
  clearInterval(timer)
})

it('idle connections are closed sooner when there are many', async () => {
  const { port } = await start({ connections: 2, crowdedIdleMs: 100 })
  const both = [await openTcp(port), await openTcp(port)]
  await Promise.all(both.map((each) => once(each.resume(), 'close')))
})

it('a client that does not read gets no more responses, and is then disconnected', async () => {
  let answered = 0
  const large = Buffer.alloc(60_000)
  const { port } = await start(
    { idleMs: 500 },
    {
      respond: () => {
        answered += 1
        return large
      },
    },
  )
  const socket = await openTcp(port)
  socket.pause()
  socket.write(Buffer.concat(Array<Buffer>(5_000).fill(packet)))
  // Longer than the idle timeout, and than it takes to notice.
  await sleep(2_000)
  // With a reset, where the system still has packets of this socket that the server has not read.
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve).resume())
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThan(1_000)
})

it('a client that reads late gets all responses, of which only a few wait for it', async () => {
  const large = Buffer.alloc(65_000)
  const questions = 95
  const release: (() => void)[] = []
  let sent = 0
  const { port } = await start(
    {},
    {
      // The first time from a store, then from memory.
      respond: () =>
        release.length < questions
          ? new Promise<Buffer>((resolve) => release.push(() => resolve(large)))
          : large,
      observe: { answered: () => (sent += 1), limited: () => {} },
    },
  )
  const socket = await openTcp(port)
  socket.pause()
  socket.write(Buffer.concat(Array<Buffer>(questions).fill(packet)))
  await expect.poll(() => release.length).toBe(questions)
  for (const each of release) each()
  await sleep(100)
  // The system takes some of the 6 MB.
  expect(sent).toBeLessThan(questions)
  expect(await answersOn(socket, questions)).toHaveLength(questions)
})

it('responses are sent in the order in which they are ready', async () => {
  let release = (_: Buffer) => {}
  const { port } = await start(
    {},
    {
      respond: (question) =>
        question[1] === 1
          ? new Promise<Buffer>((resolve) => {
              release = () => resolve(question)
            })
          : question,
    },
  )
  const socket = await openTcp(port)
  for (const id of [1, 2]) socket.write(framed(query('example.com', 'A', { id })))
  expect((await answersOn(socket, 1)).map((each) => each[1])).toEqual([2])
  release(packet)
  expect((await answersOn(socket, 1)).map((each) => each[1])).toEqual([1])
})

it('a stop sends the responses under way, and waits for no other client', async () => {
  let release = () => {}
  const { port, close } = await start(
    {},
    {
      respond: (question) =>
        new Promise<Buffer>((resolve) => {
          release = () => resolve(question)
        }),
    },
  )
  const silent = await openTcp(port)
  silent.resume()
  const active = await openTcp(port)
  active.write(packet)
  await sleep(50)
  const closed = close(60_000)
  release()
  expect(await answersOn(active, 1)).toHaveLength(1)
  await closed
})

it('a client over its network’s rate gets that many responses, and is disconnected', async () => {
  const limited: string[] = []
  const verdict = createResponseRate(3, () => 0)
  const observe = { answered: () => {}, limited: (how: string) => limited.push(how) }
  const { port } = await start({}, { verdict, observe })
  const many = await openTcp(port)
  many.write(Buffer.concat(Array.from({ length: 10 }, () => packet)))
  expect(await answersOn(many, 10)).toHaveLength(3)
  expect(await isAnswered(await openTcp(port))).toBe(false)
  expect(limited).toEqual(['drop', 'drop'])
})
