/** Two nodes on one PostgreSQL: the sites of one follow a domain's changes on the other within a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domains } from '../../src/stores/db/schema/domains.ts'
import { sendRequest } from '../roles/edge/client.ts'
import { claim } from '../support/claims.ts'
import { createDatabase } from '../support/databases.ts'
import { startTestNode, type TestNode, unique } from '../support/node.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

const server = await postgresUrl()

describe.runIf(server)('on another node', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let one: TestNode
  let other: TestNode
  let team: TestTeam
  let project: string
  const projectName = unique('site')

  beforeAll(async () => {
    const database = await createDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    const environment = { DATABASE_URL: database.url, SVC_ROLES: 'api,edge' }
    one = await startTestNode(environment)
    cleanUps.push(one.stop)
    other = await startTestNode(environment)
    cleanUps.push(other.stop)
    team = await newTeam(one)
    project = (await team.owner('PUT', `/v1/projects/${projectName}`)).body.id
    const files = [{ path: 'index.html', content: 'home' }]
    await team.owner('POST', '/v1/deployments', { project: projectName, files, target: 'production' })
  })

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  /** Without the blobs, which these two nodes don't share. */
  const look = (node: TestNode, name: string) =>
    sendRequest(Number(new URL(node.sitesUrl).port), name, '/', {}, 'HEAD')

  const statusOf = async (node: TestNode, name: string) => (await look(node, name)).status

  /** A name that both nodes serve and have in their caches. */
  async function served(): Promise<string> {
    const name = `${unique('shop')}.com`
    await claim(one, team, name, { proven: true, project })
    await expect.poll(() => statusOf(other, name), { timeout: 500, interval: 10 }).toBe(200)
    return name
  }

  it('a domain that was unknown a moment ago is served as soon as the notification arrives', async () => {
    const name = `${unique('shop')}.com`
    expect(await statusOf(other, name)).toBe(404)
    await claim(one, team, name, { proven: true, project })
    await expect.poll(() => statusOf(other, name), { timeout: 500, interval: 10 }).toBe(200)
  })

  it('a deleted domain is gone as soon as the notification arrives', async () => {
    const name = await served()
    await one.installation.store.transact(async (tx) => {
      await tx.delete(domains).where(eq(domains.domain, name))
      tx.announce({ kind: 'domain', id: name })
    })
    expect(await statusOf(one, name)).toBe(404)
    await expect.poll(() => statusOf(other, name), { timeout: 500, interval: 10 }).toBe(404)
  })

  it('a deleted domain is gone within a second without a notification', async () => {
    const name = await served()
    await one.installation.store.db.delete(domains).where(eq(domains.domain, name))
    await sleep(1_000)
    expect([await statusOf(one, name), await statusOf(other, name)]).toEqual([404, 404])
  })

  it('a redirect uses the port of its own node’s sites', async () => {
    const name = `${unique('shop')}.com`
    await claim(one, team, name, { proven: true, redirect: { to: 'example.com', status: 308 } })
    for (const node of [one, other]) {
      await expect.poll(() => statusOf(node, name), { timeout: 500, interval: 10 }).toBe(308)
      const location = node.sitesUrl.replace('localhost', 'example.com')
      expect((await look(node, name)).headers.location).toBe(`${location}/`)
    }
  })

  it('a promoted deployment is served as soon as the notification arrives', async () => {
    const name = await served()
    const tagAt = async (node: TestNode) => (await look(node, name)).headers.etag
    const before = await tagAt(other)
    const files = [{ path: 'index.html', content: 'changed' }]
    await team.owner('POST', '/v1/deployments', { project: projectName, files, target: 'production' })
    const after = await tagAt(one)
    expect(after).not.toBe(before)
    await expect.poll(() => tagAt(other), { timeout: 500, interval: 10 }).toBe(after)
  })
})
