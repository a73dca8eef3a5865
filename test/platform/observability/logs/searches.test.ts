/** A team's searches, however slow, leave the database to others. */
import postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { eventually } from '../../../support/eventually.ts'
import { newTeam } from '../../../support/team.ts'

describe.runIf(process.env.TEST_ON)('while searches of a team wait for the database', () => {
  it('other teams get responses, and so do the team’s other calls', async () => {
    const node = await startOwnNode()
    const [busy, quiet] = [await newTeam(node), await newTeam(node)]
    const client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
    let ended = 0
    let searches: Promise<void>[] = []
    await client.begin(async (sql) => {
      await sql`lock table log_lines in access exclusive mode`
      // More than a node's connections to its database.
      searches = Array.from({ length: 21 }, async () => {
        await busy.owner('GET', '/v1/logs?q=nowhere')
        ended += 1
      })
      const blocked = sql`select pid from pg_locks where relation = 'log_lines'::regclass and not granted`
      await eventually(async () => expect(await sql`${blocked}`).not.toHaveLength(0))
      expect((await quiet.owner('PUT', '/v1/projects/web')).status).toBe(200)
      expect((await busy.owner('GET', '/v1/projects')).status).toBe(200)
      // Each times out after five seconds: they run one after another, not as many at once as there are
      // connections.
      expect(ended).toBeLessThan(10)
      expect(await busy.owner('GET', '/v1/logs?q=nowhere')).toMatchObject({
        status: 429,
        body: { reason: 'too_many_waiting', retry_after_ms: 1_000 },
      })
    })
    await Promise.all(searches)
    await client.end()
    await node.stop()
  })
})
