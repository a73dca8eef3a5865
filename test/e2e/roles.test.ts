/**
 * Roles on nodes of their own, which start at once on an empty database.
 * @module-tag long
 */
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Receiver, startReceiver } from '../platform/webhooks/receiver.ts'
import { queryUdp, rcodeOf } from '../roles/nameserver/client.ts'
import type { Answer } from '../support/api.ts'
import { createEmptyDatabase } from '../support/databases.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/ports.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startOnWhatIsThere, visit } from '../support/program.ts'
import { type S3Server, startS3 } from '../support/s3/server.ts'
import { settingsOf } from '../support/s3/settings.ts'

const server = await postgresUrl()
const soon = { timeout: 20_000, interval: 100 }

describe.runIf(server)('on PostgreSQL', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let database: string
  let environment: Record<string, string>

  async function newNode(changes: Record<string, string>): Promise<Program> {
    const directory = await newDataDirectory()
    cleanUps.push(() => rm(directory, { recursive: true, force: true }))
    const node = await startOnWhatIsThere({ ...environment, SVC_DATA_DIR: directory, ...changes })
    cleanUps.push(() => node.end('SIGTERM'))
    return node
  }

  beforeAll(async () => {
    const made = await createEmptyDatabase(server ?? '')
    cleanUps.push(() => made.drop())
    database = made.url
    const redis = inject('redis')
    environment = {
      DATABASE_URL: database,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      // Many nodes run here at once.
      SVC_DATABASE_CONNECTIONS: '1',
      ...(redis && { REDIS_URL: redis }),
    }
  })

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  it('without a bucket one node of two starts, and the other says which setting it lacks', async () => {
    const both = await Promise.allSettled(['api', 'edge'].map((role) => newNode({ SVC_ROLES: role })))
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    for (const each of both) if (each.status === 'fulfilled') await each.value.end('SIGTERM')
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatch(
      /The files of this installation are in .*\. Set SVC_BLOBS, on every node, to a bucket/s,
    )
  }, 60_000)

  describe('with a bucket', () => {
    let s3: S3Server
    let dns: DnsServer
    let receiver: Receiver
    let dnsPort: string
    let nodes: Program[]
    let api: Program
    let edge: Program

    beforeAll(async () => {
      const own = await createEmptyDatabase(server ?? '')
      cleanUps.push(() => own.drop())
      s3 = await startS3()
      cleanUps.push(() => s3.close())
      dns = await startDnsServer()
      cleanUps.push(() => dns.close())
      receiver = await startReceiver()
      cleanUps.push(() => receiver.close())
      dnsPort = await freePort()
      environment = {
        ...environment,
        DATABASE_URL: own.url,
        ...settingsOf(s3, 'sites'),
        SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
        SVC_BUILD_SANDBOX: 'none',
        SVC_RESOLVERS: dns.address,
        SVC_NAMESERVERS: 'ns1.svc.test',
      }
      nodes = await Promise.all([
        newNode({ SVC_ROLES: 'api' }),
        newNode({ SVC_ROLES: 'edge' }),
        newNode({ SVC_ROLES: 'worker' }),
        newNode({ SVC_ROLES: 'dns', SVC_DNS_PORT: dnsPort }),
      ])
      const [first, second] = nodes
      if (!first || !second) throw new Error('No node has started.')
      ;[api, edge] = [first, second]
    }, 120_000)

    async function call(method: string, path: string, body?: object): Promise<Answer['body']> {
      const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(api.apiUrl + path, init)
      const answer = (await response.json()) as Answer['body']
      expect(response.status, JSON.stringify(answer)).toBe(200)
      return answer
    }

    it('the API prints the first key, whichever node was the first', async () => {
      expect(nodes.map((node) => node.key !== undefined)).toEqual([true, false, false, false])
      expect((await call('GET', '/v1/projects')).data).toEqual([])
    })

    it('the worker builds deployments of the API, the edge serves them, webhooks report them', async () => {
      await call('PUT', '/v1/projects/site')
      await call('POST', '/v1/webhooks', { url: receiver.url, events: ['deployment.ready'] })
      const files = [{ path: 'page.txt', content: 'built by another node' }]
      const build = { build_command: 'mkdir dist && cp page.txt dist/index.html' }
      const { id } = await call('POST', '/v1/deployments', {
        project: 'site',
        target: 'production',
        files,
        build,
      })
      expect((await call('GET', `/v1/deployments/${id}?wait_s=30`)).state).toBe('ready')
      await expect
        .poll(async () => (await visit(edge.siteUrl('site'))).text, soon)
        .toBe('built by another node')
      await expect.poll(() => receiver.received.length, soon).toBeGreaterThan(0)
      const requests = async () => (await call('GET', '/v1/logs?kind=request')).data.length
      await expect.poll(requests, soon).toBeGreaterThan(0)
    }, 90_000)

    it('domains are checked by the worker, and answered by the name server', async () => {
      const { verification } = await call('PUT', '/v1/domains/example.com', { project: 'site' })
      expect(rcodeOf(await queryUdp(Number(dnsPort), 'example.com', 'SOA'))).toBe('REFUSED')
      dns.set(verification[0].name, 'TXT', [verification[0].value])
      await call('POST', '/v1/domains/example.com/verify')
      const rcode = async () => rcodeOf(await queryUdp(Number(dnsPort), 'example.com', 'SOA'))
      await expect.poll(rcode, soon).toBe('NOERROR')
    }, 60_000)
  })
})
