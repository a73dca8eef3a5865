/**
 * HAProxy and Caddy, where they are installed, with the files of deploy/ in front of two nodes: every name is served over
 * HTTPS, nodes learn the client's address, and a node that stops costs no request.
 * @module-tag long
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../test/support/ports.ts'
import { postgresUrl } from '../test/support/postgres.ts'
import { type NodePair, startNodePair } from './node-pair.ts'

const run = promisify(execFile)
const server = await postgresUrl()
const apiHost = 'api.svc.test'
const sitesHost = 'sites.test'

/** A proxy that runs. `ca` is the file with the authority of its certificates. */
type Proxy = { process: ChildProcess; port: number; ca: string }

type StartProxy = (pair: NodePair, directory: string) => Promise<Proxy>

const proxies: { name: string; program: string; start: StartProxy }[] = [
  { name: 'HAProxy', program: '/usr/sbin/haproxy', start: startHaproxy },
  { name: 'Caddy', program: '/usr/bin/caddy', start: startCaddy },
]

async function startHaproxy({ addresses, ports }: NodePair, directory: string): Promise<Proxy> {
  const [key, ca, port] = [join(directory, 'key'), join(directory, 'ca'), await freePort()]
  const names = `subjectAltName=DNS:${apiHost},DNS:*.${sitesHost}`
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const made = ['-days', '2', '-subj', '/CN=svc.test', '-addext', names, '-keyout', key, '-out', ca]
  await run('openssl', ['req', '-x509', ...curve, ...made])
  const certificates = join(directory, 'certificates')
  await mkdir(certificates)
  await writeFile(join(certificates, 'svc.pem'), (await readFile(ca, 'utf8')) + (await readFile(key, 'utf8')))
  const child = start('haproxy', ['-db', '-f', resolve('deploy/haproxy/haproxy.cfg')], {
    API_HOST: apiHost,
    CERTIFICATES: certificates,
    HTTP_BIND: `127.0.0.1:${await freePort()}`,
    HTTPS_BIND: `127.0.0.1:${port}`,
    METRICS_BIND: `127.0.0.1:${await freePort()}`,
    NODE_1: addresses[0],
    NODE_2: addresses[1],
    API_PORT: ports.api,
    EDGE_PORT: ports.edge,
    INTERNAL_PORT: ports.internal,
  })
  return { process: child, port: Number(port), ca }
}

async function startCaddy({ addresses, ports }: NodePair, directory: string): Promise<Proxy> {
  const port = await freePort()
  const nodes = (each: string) => addresses.map((address) => `${address}:${each}`).join(' ')
  const child = start(
    'caddy',
    ['run', '--adapter', 'caddyfile', '--config', resolve('deploy/caddy/Caddyfile')],
    {
      XDG_DATA_HOME: directory,
      XDG_CONFIG_HOME: directory,
      HOME: directory,
      API_HOST: apiHost,
      SITES_HOST: sitesHost,
      API_NODES: nodes(ports.api),
      EDGE_NODES: nodes(ports.edge),
      INTERNAL_NODES: nodes(ports.internal),
      INTERNAL_PORT: ports.internal,
      ASK_PORT: await freePort(),
      CADDY_OPTIONS: [
        'local_certs',
        'skip_install_trust',
        `http_port ${await freePort()}`,
        `https_port ${port}`,
        'default_bind 127.0.0.1',
      ].join('\n'),
    },
  )
  return { process: child, port: Number(port), ca: join(directory, 'caddy/pki/authorities/local/root.crt') }
}

function start(program: string, args: string[], environment: Record<string, string>): ChildProcess {
  return spawn(program, args, { env: { PATH: process.env.PATH, ...environment }, stdio: 'ignore' })
}

type Reply = { status: number | undefined; body: string }

/** A client at an address of its own, which sends one request at a time and keeps its connection. */
function createClient({ port }: Proxy, ca: string, localAddress = '127.0.0.5') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, localAddress })
  const get = (host: string, path: string, headers: Record<string, string> = {}): Promise<Reply> =>
    new Promise((done, fail) => {
      const place = { host: '127.0.0.1', port, path, agent, servername: host }
      request({ ...place, headers: { host, ...headers } }, (response) =>
        text(response).then((body) => done({ status: response.statusCode, body }), fail),
      )
        .on('error', fail)
        .end()
    })
  return { get, close: () => agent.destroy() }
}

describe.runIf(server).each(proxies.filter(({ program }) => process.env.CI || existsSync(program)))(
  'behind $name',
  ({ start }) => {
    let directory: string
    let pair: NodePair
    let proxy: Proxy
    let ca: string
    const authorized = () => ({ authorization: `Bearer ${pair.key}` })

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'svc-proxy-'))
      pair = await startNodePair(server ?? '', sitesHost)
      await publish(pair)
      proxy = await start(pair, directory)
      const patience = { timeout: 20_000, interval: 100 }
      ca = await vi.waitFor(() => readFile(proxy.ca, 'utf8'), patience)
      const client = createClient(proxy, ca)
      await vi.waitFor(
        async () => expect(await client.get(apiHost, '/readyz')).toMatchObject({ status: 200 }),
        patience,
      )
      client.close()
    }, 60_000)

    afterAll(async () => {
      const ended = once(proxy.process, 'exit')
      proxy.process.kill('SIGTERM')
      await ended
      await pair.close()
      await rm(directory, { recursive: true, force: true })
    })

    it('the API and sites are served by their names', async () => {
      const client = createClient(proxy, ca)
      expect(await client.get(apiHost, '/v1/projects/web', authorized())).toMatchObject({ status: 200 })
      expect(await client.get(`web.${sitesHost}`, '/')).toEqual({ status: 200, body: 'hello' })
      expect((await client.get(`none.${sitesHost}`, '/')).status).toBe(404)
      client.close()
    })

    it("nodes learn the client's address, whatever it says itself", async () => {
      const client = createClient(proxy, ca, '127.0.0.7')
      const id = `proxied-${Date.now()}`
      await client.get(apiHost, '/healthz', { 'x-request-id': id, 'x-forwarded-for': '203.0.113.7' })
      client.close()
      const lines = () => pair.nodes.flatMap((node) => node.stderr().split('\n'))
      await expect
        .poll(() => lines().find((line) => line.includes(id)), { timeout: 5_000 })
        .toContain('"address":"127.0.0.7"')
    })

    it.runIf(start === startCaddy)(
      'a certificate is obtained for a domain of a user, and for no other',
      async () => {
        const client = createClient(proxy, ca)
        expect(await client.get('shop.test.example', '/')).toEqual({ status: 200, body: 'hello' })
        await expect(client.get('other.test.example', '/')).rejects.toThrow()
        client.close()
      },
    )

    it('no request is lost when a node stops', async () => {
      const replies: Reply[] = []
      let isOver = false
      const clients = Array.from({ length: 8 }, () => createClient(proxy, ca))
      const load = clients.map(async ({ get, close }, index) => {
        while (!isOver) {
          const toApi = index % 2 === 0
          replies.push(
            await (toApi ? get(apiHost, '/v1/projects/web', authorized()) : get(`web.${sitesHost}`, '/')),
          )
        }
        close()
      })
      await expect.poll(() => replies.length, { timeout: 10_000 }).toBeGreaterThan(200)
      expect(await pair.nodes[1].end('SIGTERM')).toBe(0)
      const before = replies.length
      await expect.poll(() => replies.length, { timeout: 10_000 }).toBeGreaterThan(before + 200)
      // Until checks have found it, and beyond.
      await sleep(2_500)
      isOver = true
      await Promise.all(load)
      expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    }, 60_000)
  },
)

/** A site at a name below the sites' domain, and at a domain that counts as proven. */
async function publish({ addresses, ports, key, databaseUrl }: NodePair): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`http://${addresses[0]}:${ports.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status, await response.text()).toBe(200)
  }
  await call('PUT', '/v1/projects/web', {})
  const files = [{ path: 'index.html', content: 'hello' }]
  await call('POST', '/v1/deployments', { project: 'web', target: 'production', files })
  await call('PUT', '/v1/domains/shop.test.example', { project: 'web' })
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`update domains set proven_ms = ${Date.now()}, verified_ms = ${Date.now()}`
  await sql.end()
}
