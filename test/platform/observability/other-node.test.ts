/**
 * What happens on one node is followed on another, also while that isn't notified of changes.
 * @module-tag long
 */

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../api/server/tcp-proxy.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deployBuild, startBuildNodes } from '../builds/build-node.ts'
import { deploy, visit } from '../deployments/steps.ts'

// The embedded database has only one node.
describe.runIf(process.env.TEST_ON)('on another node', () => {
  let nodes: Awaited<ReturnType<typeof startBuildNodes>>
  let proxy: TcpProxy
  /** Where calls follow; it builds and serves nothing. */
  let follower: TestNode
  let team: TestTeam
  let following: Api

  beforeAll(async () => {
    nodes = await startBuildNodes({ SVC_BUILD_SANDBOX: 'none' })
    const url = new URL(String(nodes.node.settings.DATABASE_URL))
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    follower = await nodes.start({ DATABASE_URL: url.href, SVC_ROLES: 'api' })
    team = await newTeam(nodes.node)
    following = apiOf(follower, team.ownerKey)
  })

  afterAll(async () => {
    await nodes.stop()
    await proxy.cut()
  })

  /** Cuts the listening connections of both, again and again until the returned function is called. */
  function cutListeners(): () => void {
    const cutting = setInterval(() => {
      nodes.node.installation.store.db
        .execute(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query ilike 'listen %'`)
        .catch(() => {})
    }, 50)
    return () => clearInterval(cutting)
  }

  async function silenceListener(): Promise<() => void> {
    await eventually(() => expect(proxy.silence('listen')).toBeGreaterThan(0))
    return () => {}
  }

  describe.each<[string, () => Promise<() => void>]>([
    ['with notifications', async () => () => {}],
    ['while the listening connections are cut', async () => cutListeners()],
    ['while the listening connection is silent', silenceListener],
  ])('%s', (_, disturb) => {
    let calm = () => {}

    beforeAll(async () => {
      calm = await disturb()
    })

    afterAll(() => calm())

    const messagesOf = ({ body }: Awaited<ReturnType<Api>>): string[] =>
      body.data.map(({ message }: { message: string }) => message)

    /** The lines of a log that is followed until one is like this. */
    async function followUntil(query: string, last: RegExp): Promise<string[]> {
      const found: string[] = []
      let cursor = ''
      for (let round = 0; round < 10 && !found.some((line) => last.test(line)); round += 1) {
        const answer = await following('GET', `/v1/logs?order=asc&wait_s=10&${query}${cursor}`)
        expect(answer.status).toBe(200)
        found.push(...messagesOf(answer))
        cursor = `&cursor=${answer.body.next_cursor}`
      }
      return found
    }

    it.concurrent('a call that waits for a deployment ends soon after its build does', async () => {
      const { id } = await deployBuild(team, 'sleep 1 && mkdir dist && cp page.txt dist/index.html')
      const { status, body } = await following('GET', `/v1/deployments/${id}?wait_s=25`)
      expect([status, body.state]).toEqual([200, 'ready'])
      expect(Date.now() - body.ready_ms).toBeLessThan(4_000)
    })

    it.concurrent('the log of a build comes line by line while it runs', async () => {
      const command =
        'for i in 1 2 3; do echo "line $i"; sleep 1; done; mkdir dist; cp page.txt dist/index.html; echo end'
      const { id } = await deployBuild(team, command)
      const found = await followUntil(`deployment=${id}`, /^end$/)
      expect(found.filter((line) => /^line \d$/.test(line))).toEqual(['line 1', 'line 2', 'line 3'])
    })

    it.concurrent('a request that another node served is in the log', async () => {
      const { url } = await deploy(team, { project: unique('seen') })
      const path = `/${unique('missing')}`
      await visit(url, path)
      const found = await followUntil(`kind=request&since_ms=${Date.now() - 60_000}`, new RegExp(path))
      expect(found).toContainEqual(expect.stringContaining(path))
    })

    it.concurrent('a stream of events has what happened there', { timeout: 60_000 }, async ({ expect }) => {
      const stream = await openEvents(follower, { authorization: `Bearer ${team.ownerKey}` })
      await expect.poll(stream.types).toContain('connected')
      // The second one comes after the stream has looked for the first.
      for (let count = 1; count <= 2; count += 1) {
        const { body: project } = await team.owner('PUT', `/v1/projects/${unique('event')}`)
        // Without a notification it looks every ten seconds.
        await expect.poll(() => JSON.stringify(stream.received), { timeout: 15_000 }).toContain(project.id)
      }
    })
  })
})
