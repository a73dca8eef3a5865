/** When a node has a name server, why one fails to start, and what load it withstands. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { decode } from 'dns-packet'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { startNameServer } from '../../../src/roles/nameserver/server.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, startTestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { isShort } from '../../support/short.ts'
import { answersOn, byUdp, framed, openTcp, query, rcodeOf } from './client.ts'
import { badPacket, numbers } from './fuzz.ts'

async function start({ host = '127.0.0.1', port = 0, rate = 0 } = {}) {
  const { store } = (await sharedNode()).installation
  const warnings: unknown[] = []
  const log = { warn: (warning: unknown) => warnings.push(warning) }
  const nameservers = ['ns1.svc.test']
  const server = await startNameServer({ store, nameservers, resolvers: undefined, log, host, port, rate })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= server.close(60_000)
    return closed
  }
  onTestFinished(close)
  return { port: server.port, warnings, close }
}

it('a node has a name server if that is one of its roles and a port is set', async () => {
  const node = await startTestNode({ SVC_ROLES: 'dns', SVC_DNS_PORT: '0' })
  onTestFinished(node.stop)
  expect(await byUdp(node.dnsPort ?? 0, query('example.com', 'A'))).toBeDefined()
  expect((await sharedNode()).dnsPort).toBeUndefined()
})

describe('a name server listens', () => {
  it('on one port by UDP and TCP', async () => {
    const { port } = await start()
    const packet = query('example.com', 'A')
    const udp = await byUdp(port, packet)
    const socket = await openTcp(port)
    socket.write(framed(packet))
    const [tcp] = await answersOn(socket, 1)
    socket.destroy()
    expect(rcodeOf(decode(udp ?? Buffer.alloc(0)))).toBe('REFUSED')
    expect(tcp).toEqual(udp)
  })

  it('on :: for both families', async () => {
    const { port } = await start({ host: '::' })
    expect(await byUdp(port, query('example.com', 'A'))).toBeDefined()
    const socket = createSocket('udp6')
    socket.send(query('example.com', 'A'), port, '::1')
    await once(socket, 'message')
    socket.close()
  })
})

describe('a port in use', () => {
  it('by TCP is an error that names the setting', async () => {
    const port = Number(await freePort())
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    await expect(start({ port })).rejects.toThrow(SettingsError)
    await expect(start({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use. Set SVC_DNS_PORT`)
    taken.close()
  })

  it('by UDP is one, too, and releases TCP', async () => {
    const port = Number(await freePort())
    const taken = createSocket('udp4').bind(port, '127.0.0.1')
    await once(taken, 'listening')
    await expect(start({ port })).rejects.toThrow('Set SVC_DNS_PORT')
    taken.close()
    await once(taken, 'close')
    expect((await start({ port })).port).toBe(port)
  })
})

it('500 queries at once are answered up to the rate; TCP, for truncated ones, has its own', async () => {
  const { port } = await start({ rate: 50 })
  const socket = createSocket('udp4')
  const answers: Buffer[] = []
  socket.on('message', (answer) => answers.push(answer))
  for (let id = 0; id < 500; id += 1) socket.send(query('example.com', 'A', { id }), port, '127.0.0.1')
  const truncated = () => answers.filter((answer) => decode(answer).flag_tc).length
  const whole = () => answers.length - truncated()
  await eventually(() => expect(truncated()).toBeGreaterThan(50))
  // These take a look at the database.
  await eventually(() => expect(whole()).toBeGreaterThanOrEqual(50))
  // A busy machine takes longer, so that more responses are allowed.
  expect(whole()).toBeLessThan(250)
  socket.close()
  const byTcp = await openTcp(port)
  for (let id = 0; id < 50; id += 1) byTcp.write(framed(query('example.com', 'A', { id })))
  expect(await answersOn(byTcp, 50)).toHaveLength(50)
  byTcp.destroy()
})

it('many bad packets by UDP do not stop it', { timeout: 120_000 }, async () => {
  const { port, warnings } = await start()
  const good = [query(`${unique('x')}.com`, 'A'), query('example.com', 'ANY')]
  const below = numbers(2)
  const socket = createSocket('udp4')
  for (let round = 0; round < (isShort ? 50 : 500); round += 1) {
    for (let index = 0; index < 100; index += 1) socket.send(badPacket(good, below), port, '127.0.0.1')
    // Slow enough that the system doesn't drop most of them.
    await byUdp(port, query('example.com', 'A'))
  }
  socket.close()
  expect(await byUdp(port, query('example.com', 'A'))).toBeDefined()
  expect(warnings).toEqual([])
})

it('a stop ends it at once when nothing is under way', async () => {
  const { port, close } = await start()
  const idle = await openTcp(port)
  idle.resume()
  await Promise.all([once(idle, 'close'), close()])
  expect(await byUdp(port, query('example.com', 'A'), 100)).toBeUndefined()
})
