/** `svc` behind an HTTP proxy, which alone can find the server. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visit } from '../platform/deployments/steps.ts'
import { newCertificate } from '../support/certificate.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

/** No resolver knows it: what reaches it went through the proxy. */
const name = 'svc.example.test'

type TestProxy = {
  url: string
  /** Method, target, and credentials of each request. */
  seen: string[]
  /** The status that it refuses requests with. */
  refuse: number | undefined
  /** Headers that reached it of requests that it forwards. */
  close(): Promise<void>
}

let node: TestNode
let team: TestTeam
let proxy: TestProxy
let servers: Server[]

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  servers = []
  proxy = await startProxy()
})

afterEach(async () => {
  await proxy.close()
  for (const server of servers) server.close()
})

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A proxy to which every name is this machine. */
async function startProxy(): Promise<TestProxy> {
  const sockets = new Set<{ destroy(): void }>()
  const found: Omit<TestProxy, 'url' | 'close'> = { seen: [], refuse: undefined }
  const note = (method = '', target = '', credentials = 'nobody') =>
    found.seen.push(`${method} ${target} by ${credentials}`)
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    const { 'proxy-authorization': credentials, ...rest } = headers
    note(method, url, credentials)
    if (found.refuse !== undefined) {
      response.writeHead(found.refuse).end()
      return
    }
    const { pathname, search, port } = new URL(url)
    const onward = request({ host: '127.0.0.1', port, path: pathname + search, method, headers: rest })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.on('connect', ({ url = '', headers }, socket) => {
    note('CONNECT', url, headers['proxy-authorization'])
    sockets.add(socket)
    socket.on('error', () => {})
    if (found.refuse !== undefined) {
      socket.end(`HTTP/1.1 ${found.refuse} Refused\r\n\r\n`)
      return
    }
    const onward = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    sockets.add(onward)
  })
  const port = await portOf(server)
  return Object.assign(found, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
    },
  })
}

const portOfUrl = (url: string) => new URL(url).port
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

async function svc(args: string[], env: Record<string, string>) {
  const { svc: run } = await newHome()
  const url = `http://${name}:${portOfUrl(node.apiUrl)}`
  return run(args, { env: { SVC_URL: url, SVC_TOKEN: team.ownerKey, ...env } })
}

describe('to a server over HTTP', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('calls go through %s, in absolute form', async (variable) => {
    const { code, stdout } = await svc(['projects', '--json'], { [variable]: proxy.url })
    expect({ code, projects: JSON.parse(stdout).length }).toEqual({ code: 0, projects: 1 })
    expect(proxy.seen[0]).toMatch(/^GET http:\/\/svc\.example\.test:\d+\/trpc\/.+ by nobody$/)
  })

  it('with a user and a password for the proxy alone, which no message has', async () => {
    const url = proxy.url.replace('//', '//ada:s%40cret@')
    expect(await svc(['whoami'], { http_proxy: url })).toMatchObject({ code: 0 })
    expect(proxy.seen[0]).toContain(basic('ada:s@cret'))
    proxy.refuse = 407
    const refused = await svc(['whoami'], { http_proxy: url })
    expect(refused.stderr).toContain(`${proxy.url} (http_proxy) requires a user and a password`)
    expect(refused.stderr + refused.stdout).not.toMatch(/cret/)
  })

  it('large files go through it, too', async () => {
    const { home, svc: run } = await newHome()
    const files = Array.from({ length: 9 }, (_, index) => `page-${index}.html`)
    const content = (file: string) => `${file} ${team.id} ${'x'.repeat(1_000_000)}`
    for (const file of files) await writeFile(join(home, 'work', file), content(file))
    const env = {
      SVC_URL: `http://${name}:${portOfUrl(node.apiUrl)}`,
      SVC_TOKEN: team.ownerKey,
      HTTP_PROXY: proxy.url,
    }
    const { code, stdout, stderr } = await run(['deploy', '.', '--project', 'web', '--json'], { env })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { url } = JSON.parse(stdout)
    for (const file of files.slice(-1)) expect((await visit(url, `/${file}`)).body).toBe(content(file))
    expect(proxy.seen.filter((line) => line.startsWith('PUT ')).length).toBeGreaterThan(0)
  })
})

describe('to a server over HTTPS', () => {
  let ca: string
  let port: number

  beforeEach(async () => {
    const { cert, key } = await newCertificate(name)
    const server = createTlsServer({ cert, key }, (incoming, response) => {
      const { method, url = '', headers } = incoming
      expect(headers).not.toHaveProperty('proxy-authorization')
      const onward = request(new URL(url, node.apiUrl), { method, headers })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      incoming.pipe(onward)
    })
    servers.push(server)
    port = await portOf(server)
    ca = cert
  })

  /** As a process of its own, which alone can trust another authority. */
  async function svcOverTls(args: string[], env: Record<string, string>) {
    const { home, svc: run } = await newHome()
    const file = join(home, 'ca.pem')
    await writeFile(file, ca)
    const all = {
      SVC_URL: `https://${name}:${port}`,
      SVC_TOKEN: team.ownerKey,
      NODE_EXTRA_CA_CERTS: file,
      ...env,
    }
    return run(args, { env: all, started: () => {} })
  }

  it.each(['HTTPS_PROXY', 'https_proxy'])('calls go through %s, in a tunnel', async (variable) => {
    const url = proxy.url.replace('//', '//ada:secret@')
    const { code, stdout, stderr } = await svcOverTls(['projects', '--json'], { [variable]: url })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveLength(1)
    expect(proxy.seen).toEqual([`CONNECT ${name}:${port} by ${basic('ada:secret')}`])
  })

  it('whose certificate must be that of the server’s name', async () => {
    const { code, stderr } = await svcOverTls(['whoami'], {
      SVC_URL: `https://other.example.test:${port}`,
      HTTPS_PROXY: proxy.url,
    })
    expect({ code, stderr }).toMatchObject({ code: 6, stderr: expect.stringContaining('certificate') })
  })

  it.each([
    [403, `doesn't connect to ${name}:`],
    [502, `doesn't connect to ${name}:`],
    [407, 'requires a user and a password: put both into HTTPS_PROXY'],
  ])('is out of reach where the proxy responds %i', async (status, message) => {
    proxy.refuse = status
    const { code, stderr } = await svcOverTls(['whoami'], { HTTPS_PROXY: proxy.url })
    expect(code).toBe(6)
    expect(stderr).toContain(`The proxy ${proxy.url} (HTTPS_PROXY) ${message}`)
  })
})

describe('a proxy', () => {
  it.each(['http', 'https'])('that is not there is named, and so is its variable: %s', async (scheme) => {
    const variable = `${scheme.toUpperCase()}_PROXY`
    const { code, stderr } = await svc(['whoami'], {
      SVC_URL: `${scheme}://${name}`,
      [variable]: 'http://127.0.0.1:1',
    })
    expect(code).toBe(6)
    expect(stderr).toContain(`The proxy http://127.0.0.1:1 (${variable}) can't be reached: ECONNREFUSED.`)
  })

  it.each(['socks5://127.0.0.1:1080', 'http://', 'ftp://proxy:21', 'http://a b'])(
    'that is none is refused, with its variable: %s',
    async (value) => {
      const { code, stderr } = await svc(['whoami'], { HTTP_PROXY: value })
      expect(code).toBe(2)
      expect(stderr).toContain('HTTP_PROXY must be the address of an HTTP proxy')
    },
  )

  it.each([
    ['NO_PROXY', 'example.test'],
    ['no_proxy', '*'],
  ])('isn’t used for what %s names', async (variable, value) => {
    const { code, stderr } = await svc(['whoami'], { HTTP_PROXY: proxy.url, [variable]: value })
    expect({ code, stderr }).toMatchObject({ code: 6, stderr: expect.stringContaining('No server responds') })
    expect(proxy.seen).toEqual([])
  })

  it('isn’t used for a server on this machine, nor for one of another scheme', async () => {
    const env = { SVC_URL: node.apiUrl, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }
    expect(await svc(['whoami'], env)).toMatchObject({ code: 0 })
    expect(await svc(['whoami'], { HTTPS_PROXY: proxy.url })).toMatchObject({ code: 6 })
    expect(proxy.seen).toEqual([])
  })

  it('of the lower-case name wins, and a header of a CGI request is none', async () => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: proxy.url }
    expect(await svc(['whoami'], env)).toMatchObject({ code: 0 })
    const cgi = await svc(['whoami'], { HTTP_PROXY: proxy.url, REQUEST_METHOD: 'GET' })
    expect(cgi.stderr).toContain('No server responds')
  })

  it('is never one of a directory’s .env or svc.json', async () => {
    const { home, svc: run } = await newHome()
    await writeFile(join(home, 'work', '.env'), `HTTP_PROXY=${proxy.url}\nhttp_proxy=${proxy.url}\n`)
    const env = { SVC_URL: `http://${name}:${portOfUrl(node.apiUrl)}`, SVC_TOKEN: team.ownerKey }
    expect(await run(['whoami'], { env })).toMatchObject({ code: 6 })
    expect(proxy.seen).toEqual([])
  })
})
