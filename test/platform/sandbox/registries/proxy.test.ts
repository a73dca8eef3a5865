/** The proxy connects builds to registries only, by HTTPS, at checked addresses. */
import { randomUUID } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Registries, startRegistryProxy } from '../../../../src/platform/sandbox/registries/proxy.ts'
import { type NpmRegistry, registryName, startNpmRegistry } from './npm-registry.ts'

let registry: NpmRegistry

beforeAll(async () => {
  registry = await startNpmRegistry()
})
afterAll(() => registry.close())

type Proxy = { socketPath: string; reports: string[]; close(): Promise<void> }

async function startProxy(settings: Partial<Registries> = {}, name: string = randomUUID()): Promise<Proxy> {
  const directory = join(inject('directory'), name)
  await mkdir(directory, { recursive: true })
  const handle = await open(directory)
  onTestFinished(() => handle.close())
  const reports: string[] = []
  const { close } = await startRegistryProxy(
    join(directory, 'proxy'),
    {
      hosts: [{ name: registryName, port: registry.port }],
      resolve: async () => ['127.0.0.1'],
      allowPrivate: true,
      ...settings,
    },
    (line) => reports.push(line),
  )
  onTestFinished(close)
  return { socketPath: `/proc/self/fd/${handle.fd}/proxy`, reports, close }
}

type Connected = { status: number; socket: Duplex }

/** Sends `CONNECT`; `socket` is the tunnel, or an error with the text of the refusal. */
function connectTo({ socketPath }: Proxy, authority: string): Promise<Connected> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method: 'CONNECT', path: authority }).end()
    sent.on('error', reject)
    sent.on('connect', ({ statusCode = 0 }, socket, head) => {
      onTestFinished(() => {
        socket.destroy()
      })
      socket.unshift(head)
      resolve({ status: statusCode, socket })
    })
  })
}

async function refusalOf(proxy: Proxy, authority: string): Promise<[number, string]> {
  const { status, socket } = await connectTo(proxy, authority)
  return [status, await text(socket)]
}

/** The registry's response to a request through the tunnel, with TLS from end to end. */
async function get(socket: Duplex, path: string): Promise<string> {
  const secure = connectTls({ socket, servername: registryName, ca: registry.ca })
  secure.end(`GET ${path} HTTP/1.1\r\nHost: ${registryName}\r\nConnection: close\r\n\r\n`)
  return text(secure)
}

describe('a registry', () => {
  it('is reached by its name and port, with TLS from end to end', async () => {
    const proxy = await startProxy()
    const { status, socket } = await connectTo(proxy, `${registryName}:${registry.port}`)
    expect([status, await get(socket, '/greeting')]).toEqual([
      200,
      expect.stringContaining('"latest":"1.0.0"'),
    ])
    expect(proxy.reports).toEqual([])
  })

  it('is reached whatever the case of its name', async () => {
    const { status } = await connectTo(await startProxy(), `${registryName.toUpperCase()}.:${registry.port}`)
    expect(status).toBe(200)
  })

  it('is reached by a proxy whose socket has a long path', async () => {
    const proxy = await startProxy({}, 'x'.repeat(200))
    expect((await connectTo(proxy, `${registryName}:${registry.port}`)).status).toBe(200)
  })

  it.each([['127.0.0.1'], ['169.254.169.254'], ['::1'], ['8.8.8.8', '10.0.0.1']])(
    'is not reached if its name resolves to %s, unless private addresses are allowed',
    async (...addresses) => {
      const proxy = await startProxy({ resolve: async () => addresses, allowPrivate: false })
      const authority = `${registryName}:${registry.port}`
      const line =
        `Unreachable: ${authority}, which has no public address ` +
        '(private ones need SVC_RESOLVE_PRIVATE=1).'
      expect([await refusalOf(proxy, authority), proxy.reports]).toEqual([[403, line], [line]])
    },
  )

  it('without an address is a 502', async () => {
    const proxy = await startProxy({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    const authority = `${registryName}:${registry.port}`
    const line = `Unreachable: ${authority}, whose name has no address.`
    expect([await refusalOf(proxy, authority), proxy.reports]).toEqual([[502, line], [line]])
  })

  it('that is unreachable is a 502', async () => {
    const hosts = [{ name: registryName, port: 1 }]
    expect(await refusalOf(await startProxy({ hosts }), `${registryName}:1`)).toEqual([
      502,
      `Unreachable: ${registryName}:1, which does not accept the connection.`,
    ])
  })

  it('is reached again by the next proxy at the same path', async () => {
    const name = randomUUID()
    await (await startProxy({}, name)).close()
    const proxy = await startProxy({}, name)
    expect((await connectTo(proxy, `${registryName}:${registry.port}`)).status).toBe(200)
  })

  it('has at most 64 connections', async () => {
    const proxy = await startProxy()
    const authority = `${registryName}:${registry.port}`
    const opened = await Promise.all(Array.from({ length: 64 }, () => connectTo(proxy, authority)))
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
    await expect(connectTo(proxy, authority)).rejects.toThrow()
    opened[0]?.socket.destroy()
    await expect
      .poll(() =>
        connectTo(proxy, authority).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })

  it('loses its connections when the proxy ends', async () => {
    const proxy = await startProxy()
    const { socket } = await connectTo(proxy, `${registryName}:${registry.port}`)
    const ended = new Promise((closed) => socket.on('error', () => {}).on('close', closed))
    await proxy.close()
    await ended
  })
})

describe('any other host', () => {
  it.each(['example.com:443', `${registryName}:443`, `x.${registryName}:443`, '127.0.0.1:5432'])(
    '%s is refused and reported',
    async (authority) => {
      const proxy = await startProxy()
      const line = `Refused: ${authority} is not in SVC_BUILD_HOSTS.`
      expect([await refusalOf(proxy, authority), proxy.reports]).toEqual([[403, line], [line]])
    },
  )

  it('is reported once each, and twenty times in all', async () => {
    const proxy = await startProxy()
    for (let index = 0; index < 25; index += 1) await refusalOf(proxy, `${index}.example.com:443`)
    await refusalOf(proxy, '0.example.com:443')
    expect(proxy.reports).toEqual(
      Array.from(
        { length: 20 },
        (_, index) => `Refused: ${index}.example.com:443 is not in SVC_BUILD_HOSTS.`,
      ),
    )
  })

  it.each([
    'example.com',
    '[::1]:443',
    'user@example.com:443',
    'example.com:99999',
    `${'a'.repeat(300)}:443`,
  ])('is refused if it is not a host and port: %s', async (authority) => {
    expect((await refusalOf(await startProxy(), authority))[0]).toBe(400)
  })

  it('is refused without CONNECT', async () => {
    const { socketPath } = await startProxy()
    const status = await new Promise((resolve, reject) => {
      const sent = request({ socketPath, path: `http://${registryName}/` }, ({ statusCode }) =>
        resolve(statusCode),
      )
      sent.on('error', reject).end()
    })
    expect(status).toBe(405)
  })
})
