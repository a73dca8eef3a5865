/**
 * HAProxy and Caddy, where they are installed, with the files of deploy/ in front of two nodes: every name is
 * served over HTTPS, nodes learn the client's address, and a node that stops costs no request.
 * @module-tag long
 */
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NodePair, startNodePair } from '../test/support/node-pair.ts'
import { postgresUrl } from '../test/support/postgres.ts'
import { caddyPath, startCaddy } from '../test/support/proxies/caddy.ts'
import { haproxyPath, startHaproxy } from '../test/support/proxies/haproxy.ts'
import {
  apiHost,
  openProxy,
  type RunningProxy,
  type StartProxy,
  sitesHost,
} from '../test/support/proxies/proxy.ts'
import { publishSite } from '../test/support/proxies/publish-site.ts'

const server = await postgresUrl()

const proxies: { name: string; program: string; start: StartProxy }[] = [
  { name: 'HAProxy', program: haproxyPath, start: startHaproxy },
  { name: 'Caddy', program: caddyPath, start: startCaddy },
]

type Reply = { status: number | undefined; body: string }

/** A client at an address of its own, which sends one request at a time and keeps its connection. */
function createClient({ port, ca }: RunningProxy, localAddress = '127.0.0.5') {
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
    let pair: NodePair
    let proxy: RunningProxy
    const authorized = () => ({ authorization: `Bearer ${pair.key}` })

    beforeAll(async () => {
      pair = await startNodePair(server ?? '', sitesHost)
      await publishSite(pair)
      proxy = await openProxy(start, pair)
    }, 60_000)

    afterAll(async () => {
      await proxy.close()
      await pair.close()
    })

    it('the API and sites are served by their names', async () => {
      const client = createClient(proxy)
      expect(await client.get(apiHost, '/v1/projects/web', authorized())).toMatchObject({ status: 200 })
      expect(await client.get(`web.${sitesHost}`, '/')).toEqual({ status: 200, body: 'hello' })
      expect((await client.get(`none.${sitesHost}`, '/')).status).toBe(404)
      client.close()
    })

    it("nodes learn the client's address, whatever it says itself", async () => {
      const client = createClient(proxy, '127.0.0.7')
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
        const client = createClient(proxy)
        expect(await client.get('shop.test.example', '/')).toEqual({ status: 200, body: 'hello' })
        await expect(client.get('other.test.example', '/')).rejects.toThrow()
        client.close()
      },
    )

    it('no request is lost when a node stops', async () => {
      const replies: Reply[] = []
      let isOver = false
      const clients = Array.from({ length: 8 }, () => createClient(proxy))
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
