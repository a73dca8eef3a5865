/** The response to a proxy that obtains certificates on demand, over real sockets. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { startTcpProxy } from '../../api/server/tcp-proxy.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { sendRequest as sendToPort } from '../edge/client.ts'

let node: TestNode
let team: TestTeam
let project: string
const path = '/internal/tls/ask'
const database = process.env.TEST_ON ? inject('database') : undefined

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  project = (await team.owner('PUT', `/v1/projects/${unique('site')}`)).body.id
})

const ask = (target: string, method = 'GET') => sendToPort(node.internalPort, 'localhost', target, {}, method)

const statusOf = async (name: string) => (await ask(`${path}?domain=${encodeURIComponent(name)}`)).status

const newName = () => `shop-${randomBytes(4).toString('hex')}.com`

describe('200 for a verified name', () => {
  it('that leads to a project, however it is spelled', async () => {
    const name = newName()
    await claim(node, team, name, { proven: true, project })
    for (const spelled of [name, name.toUpperCase(), `${name}.`, `${name}:443`]) {
      expect(await statusOf(spelled)).toBe(200)
    }
  })

  it('that redirects to another name', async () => {
    const name = newName()
    await claim(node, team, name, { proven: true, redirect: { to: 'example.com', status: 308 } })
    expect(await ask(`${path}?domain=${name}`)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
    })
  })

  it('in a HEAD request', async () => {
    const name = newName()
    await claim(node, team, name, { proven: true, redirect: { to: 'example.com', status: 308 } })
    expect(await ask(`${path}?domain=${name}`, 'HEAD')).toMatchObject({ status: 200, text: '' })
  })
})

describe('404 for', () => {
  it('an unverified claim, whatever its target', async () => {
    const name = newName()
    await claim(node, team, name, { project })
    expect(await statusOf(name)).toBe(404)
  })

  it('a verified name without a target, and a name below a verified one', async () => {
    const [idle, used] = [newName(), newName()]
    await claim(node, team, idle, { proven: true })
    await claim(node, team, used, { proven: true, redirect: { to: 'example.com', status: 308 } })
    expect([await statusOf(idle), await statusOf(`www.${used}`)]).toEqual([404, 404])
  })

  it.each([
    'example.org',
    'web.localhost',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a b',
    '*.example.com',
    'a@example.com',
    '\u0000',
  ])('%j', async (name) => expect(await statusOf(name)).toBe(404))

  it('a deleted name, once the node was notified', async () => {
    const name = newName()
    await claim(node, team, name, { proven: true, redirect: { to: 'example.com', status: 308 } })
    expect(await statusOf(name)).toBe(200)
    await node.installation.store.transact(async (tx) => {
      await tx.delete(domains).where(eq(domains.domain, name))
      tx.announce({ kind: 'domain', id: name })
    })
    expect(await statusOf(name)).toBe(404)
  })

  it.each([
    '/',
    '/internal',
    '/internal/',
    `${path}/`,
    '/INTERNAL/tls/ask',
    `/${path}`,
    '/health',
    '/v1/projects',
    '/metrics/',
  ])('the path %s', async (target) => expect((await ask(`${target}?domain=example.com`)).status).toBe(404))
})

it.each(['', '?', '?domain', '?domain=', '?Domain=example.com', '?domain=a.com&domain=b.com'])(
  '400 for %j',
  async (query) => expect((await ask(`${path}${query}`)).status).toBe(400),
)

it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('405 for %s', async (method) => {
  expect(await ask(`${path}?domain=example.com`, method)).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  })
})

describe.runIf(database)('while PostgreSQL is away', () => {
  it('503 with Retry-After on the internal port and on that of the sites, and both recover', async () => {
    const url = new URL(database ?? '')
    const proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    const own = await startTestNode({ DATABASE_URL: url.href })
    const name = newName()
    await claim(own, team, name, { proven: true, redirect: { to: 'example.com', status: 308 } })
    await proxy.cut()
    // postgres.js never answers a query that starts between the error and the close of its connection.
    while ((await fetch(`${own.apiUrl}/readyz`)).status !== 503);
    const requestBoth = () =>
      Promise.all([
        sendToPort(own.internalPort, 'localhost', `${path}?domain=${name}`),
        sendToPort(Number(new URL(own.sitesUrl).port), name, '/'),
      ])
    for (const { status, headers, text } of await requestBoth()) {
      expect({ status, retry: headers['retry-after'], cache: headers['cache-control'] }).toEqual({
        status: 503,
        retry: '1',
        cache: 'no-store',
      })
      expect(text).not.toMatch(/ECONN|postgres|select /i)
    }
    await proxy.restore()
    const statuses = async () => (await requestBoth()).map(({ status }) => status)
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([200, 308])
    await own.stop()
    await proxy.cut()
  })
})

describe('a public port has no such endpoint', () => {
  it('that of the API', async () => {
    const { status } = await fetch(`${node.apiUrl}${path}?domain=example.com`)
    expect(status).toBe(404)
  })

  it.each([path, `${path}?domain=example.com`])('that of the sites: %s', async (target) => {
    for (const host of ['localhost', 'web.localhost', 'example.com', '127.0.0.1']) {
      expect((await sendToPort(Number(new URL(node.sitesUrl).port), host, target)).status).toBe(404)
    }
  })
})

describe('the port', () => {
  it('that is in use stops the start, and the message names its setting', async () => {
    const taken = startTestNode({ SVC_INTERNAL_PORT: String(node.internalPort) })
    await expect(taken).rejects.toThrow(
      `Port ${node.internalPort} of 127.0.0.1 is in use. Set SVC_INTERNAL_PORT to a free one.`,
    )
  })

  it('exists on nodes without the API and sites, too, and is free again once one has stopped', async () => {
    const port = await freePort()
    for (const role of ['worker', 'dns']) {
      const own = await startTestNode({ SVC_ROLES: role, SVC_INTERNAL_PORT: port, SVC_DNS_PORT: '0' })
      expect(own.internalPort).toBe(Number(port))
      await own.stop()
    }
  })
})
