/** Servers connect to what their project allows, through the guard of the node. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { decode, encode } from 'dns-packet'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerDeps } from '../../../../src/platform/servers/server-process.ts'
import type { Reach } from '../../../../src/platform/servers/way-out/plan.ts'
import { eventually } from '../../../support/eventually.ts'
import { evaluate, evaluating } from '../evaluating.ts'
import { openedWayOut } from '../own-way-out.ts'
import { mebibyte, run, serverDeps, type TestServer, testTimeout } from '../server.ts'

vi.setConfig({ testTimeout })

/** A place inside the network, which sends back what it gets, and an end after the end. */
let echo: Server
const connected = new Set<Socket>()
/** A site inside the network. */
const site = createHttpServer((request, response) => {
  const { method, url, headers } = request
  request.setEncoding('utf8').on('data', (text: string) => {
    response.write(text.toUpperCase())
  })
  request.once('end', () => response.end(JSON.stringify({ method, url, headers })))
})
let deps: ServerDeps
let port = 0
let sitePort = 0
const started: TestServer[] = []

beforeAll(async () => {
  deps = await serverDeps()
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    connected.add(socket)
    socket.on('error', () => {}).once('close', () => connected.delete(socket))
    socket.pipe(socket)
  })
  port = await listen(echo)
  sitePort = await listen(site)
})
afterEach(async () => {
  for (const { kill, ended } of started.splice(0)) {
    kill()
    await ended
  }
})
afterAll(() => {
  echo.close()
  site.close()
})

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

type Options = Parameters<typeof openedWayOut>[0] & { reach?: Reach; slug?: string }

/** A server of the team acme, which may connect to the echo and the site by address and by name. */
async function start({ reach, slug = 'acme', ...options }: Options = {}): Promise<TestServer> {
  const wayOut = openedWayOut({
    places: [port, sitePort].flatMap((each) => [`acme=127.0.0.1:${each}`, `acme=db.internal:${each}`]),
    opened: { 'db.internal': ['127.0.0.1'] },
    ...options,
  })
  const leaving = {
    team: { id: `team_${slug}`, slug },
    reach: reach ?? { network: 'tcp' as const, ports: [port, sitePort] },
  }
  const server = await run(
    { ...deps, wayOut },
    'node server.js',
    { 'server.js': evaluating },
    { leaving, memoryBytes: 256 * mebibyte },
  )
  started.push(server)
  await server.listening
  return server
}

/** An expression: what a connection gets back for `bytes` that it sends before it ends its side. */
const echoed = (options: string, bytes: number) => `new Promise((resolve, reject) => {
  const socket = net.connect(${options})
  let received = 0
  socket.on('data', (chunk) => { received += chunk.length })
  socket.on('end', () => resolve(received)).on('error', reject)
  socket.end(Buffer.alloc(${bytes}))
})`

describe('with a route', () => {
  it('any client connects to an opened place, by its address and by its name', async () => {
    const server = await start()
    for (const host of ['127.0.0.1', 'localhost', '::ffff:127.0.0.1', 'db.internal', 'DB.INTERNAL.'])
      expect(await evaluate(server, `connect({ port: ${port}, host: '${host}' })`)).toBe('connected')
    expect(await evaluate(server, echoed(`{ port: ${port}, host: 'db.internal' }`, 5 * mebibyte))).toBe(
      5 * mebibyte,
    )
    const url = `http://db.internal:${sitePort}/a?b`
    expect(await evaluate(server, `fetch('${url}').then((answer) => answer.json())`)).toMatchObject({
      url: '/a?b',
      headers: { host: `db.internal:${sitePort}` },
    })
    expect(await evaluate(server, `spawnSync('curl', ['-sS', '${url}']).stdout.toString()`)).toContain(
      '"method":"GET"',
    )
    expect(server.refused).toEqual([])
  })

  it('a place that is not opened resets the connection, and a line says why', async () => {
    const server = await start({
      names: { 'inside.example': () => ['10.0.0.6'], 'own.example': () => ['93.184.216.99'] },
      ownAddresses: ['93.184.216.99'],
    })
    for (const host of [
      '127.0.0.2',
      '10.0.0.5',
      '169.254.169.254',
      'inside.example',
      'own.example',
      'fd00::1',
    ])
      expect(await evaluate(server, read(host, port)), host).toBe('ECONNRESET')
    expect(server.refused.map((line) => line.replace(/, which .*/, ''))).toEqual([
      `No way to 127.0.0.2:${port}`,
      `No way to 10.0.0.5:${port}`,
      `No way to 169.254.169.254:${port}`,
      `No way to inside.example:${port}`,
      `No way to own.example:${port}`,
      `No way to [fd00::1]:${port}`,
    ])
  })

  it('other ports, and the places of another team, are out of reach', async () => {
    const web = await start({ reach: { network: 'web', ports: [port] } })
    expect(await evaluate(web, read('127.0.0.1', port))).toBe('ECONNREFUSED')
    const other = await start({ slug: 'other' })
    expect(await evaluate(other, read('127.0.0.1', port))).toBe('ECONNRESET')
    expect(await evaluate(other, "dns.promises.lookup('db.internal')")).toEqual({ failed: 'ENOTFOUND' })
  })

  it('a name that leads elsewhere once it was looked up is refused', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    const server = await start({
      places: [],
      names: { 'rebinding.example': () => answers.shift() ?? ['127.0.0.1'] },
    })
    expect(await evaluate(server, read('rebinding.example', port))).toBe('ECONNRESET')
    expect(server.refused).toHaveLength(1)
  })

  it('names that are none are not found, and an address that no name has leads nowhere', async () => {
    const server = await start()
    expect(await evaluate(server, "dns.promises.lookup('nothing.example')")).toEqual({ failed: 'ENOTFOUND' })
    expect(await evaluate(server, read('198.18.7.7', port))).toBe('ECONNRESET')
    expect(server.refused).toEqual([expect.stringContaining('look the name up again')])
  })

  it('records of other types are those of the DNS', async () => {
    const resolver = createSocket('udp4')
    resolver.on('message', (message, { port: from }) => {
      const { id = 0, questions = [] } = decode(message)
      const name = questions[0]?.name ?? ''
      const answers = [
        { type: 'SRV', name, data: { port: 27_017, target: 'db1.example', priority: 0, weight: 5 } } as const,
      ]
      resolver.send(encode({ type: 'response', id, questions, answers }), from, '127.0.0.1')
    })
    await once(resolver.bind(0, '127.0.0.1'), 'listening')
    const server = await start({ resolver: `127.0.0.1:${resolver.address().port}` })
    expect(await evaluate(server, "dns.promises.resolveSrv('_mongodb._tcp.example')")).toMatchObject([
      { name: 'db1.example', port: 27_017, priority: 0, weight: 5 },
    ])
    resolver.close()
  })

  it('the server can neither change the route nor listen in place of the platform', async () => {
    const server = await start()
    const change = `['route del local default dev lo', 'link set lo down', 'addr add 10.0.0.1/8 dev lo']
      .map((command) => spawnSync('sh', ['-c', 'ip ' + command]).stderr.toString().includes('not permitted'))`
    expect(await evaluate(server, change)).toEqual([true, true, true])
    const listen = `new Promise((resolve) => net.createServer().listen(${port}, () => resolve('listens'))
      .on('error', (error) => resolve(error.code)))`
    expect(await evaluate(server, listen)).toBe('EADDRINUSE')
  })

  it('has no more connections than its team may have, and as many again once they are closed', async () => {
    const server = await start({ bounds: { perTeam: 8 } })
    // Those that are refused have no places.
    for (let index = 0; index < 10; index++) await evaluate(server, read('10.0.0.5', port))
    const many = `Promise.all(Array.from({ length: 40 }, () => new Promise((resolve) => {
      const socket = net.connect(${port}, '127.0.0.1', () => socket.write('x'))
      socket.once('data', () => resolve(socket)).once('error', (error) => resolve(error.code))
    })))`
    const counted = (close: string) => `${many}.then((ends) => {
      const open = ends.filter((end) => typeof end !== 'string')
      ${close}
      return open.length
    })`
    expect(await evaluate(server, counted('globalThis.kept = open'))).toBe(8)
    expect(server.refused).toEqual([
      expect.stringContaining('10.0.0.5'),
      expect.stringContaining('one connection more than the servers of a team'),
    ])
    expect(connected.size).toBe(8)
    await evaluate(server, 'kept.map((socket) => socket.destroy()).length')
    await eventually(() => expect(connected.size).toBe(0))
    expect(await evaluate(server, counted('open.map((socket) => socket.destroy())'))).toBe(8)
  })

  it('its connections end with it, and nothing of what it was given is open inside', async () => {
    const server = await start()
    await evaluate(
      server,
      `(globalThis.kept = net.connect(${port}, '127.0.0.1')).once('error', () => {}) && 1`,
    )
    await eventually(() => expect(connected.size).toBe(1))
    const sockets = `fs.readdirSync('/proc/self/fd').filter((name) =>
      Number(name) >= 3 && Number(name) < 12 &&
        /^socket/.test(failing(() => fs.readlinkSync('/proc/self/fd/' + name))))`
    const passed = await evaluate(server, sockets)
    expect(Array.isArray(passed) ? passed.length : passed).toBeLessThanOrEqual(4)
    server.kill()
    await server.ended
    await eventually(() => expect(connected.size).toBe(0))
  })
})

describe('without a route', () => {
  it('clients that use a proxy connect', async () => {
    const server = await start({ isRouted: false })
    const url = `http://db.internal:${sitePort}/a?b`
    const curl = (...args: string[]) =>
      `spawnSync('curl', ${JSON.stringify(['-sS', ...args])}).stdout.toString()`
    const plain = JSON.parse(String(await evaluate(server, curl(url))))
    expect(plain).toMatchObject({ url: '/a?b', headers: { host: `db.internal:${sitePort}` } })
    expect(Object.keys(plain.headers)).not.toContain('proxy-connection')
    expect(await evaluate(server, curl('--data', 'body', url))).toMatch(/^BODY.*"method":"POST"/)
    expect(await evaluate(server, curl('--proxytunnel', url))).toContain('"url":"/a?b"')
    expect(server.refused).toEqual([])
  })

  it('a place that is not opened is 403 with the reason, and a line', async () => {
    const server = await start({ isRouted: false })
    const options = ['-s', '-o', '/dev/null', '-w', '%{http_code} %{http_connect}']
    const ask = (url: string) => `spawnSync('curl', ${JSON.stringify([...options, url])}).stdout.toString()`
    expect(await evaluate(server, ask('http://10.0.0.5/'))).toBe('403 000')
    expect(await evaluate(server, ask('https://10.0.0.5/'))).toBe('000 403')
    expect(await evaluate(server, ask('http://db.internal:81/'))).toBe('403 000')
    expect(await evaluate(server, ask('http://nothing.example/'))).toBe('502 000')
    expect(server.refused).toEqual([
      expect.stringContaining('10.0.0.5:80'),
      expect.stringContaining('10.0.0.5:443'),
      expect.stringContaining('`network` and `ports`'),
      expect.stringContaining('a name without an address'),
    ])
  })
})

/** An expression: the code with which a connection ends that waits for bytes. */
function read(host: string, at: number): string {
  return `new Promise((resolve) => net.connect({ port: ${at}, host: '${host}' })
    .on('error', (error) => resolve(error.code)).on('end', () => resolve('end')).resume())`
}
