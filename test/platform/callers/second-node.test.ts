import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { asSecret } from '../../../src/lib/secret.ts'
import { hashToken } from '../../../src/platform/callers/token.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { apiOf } from '../../support/api.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

// The embedded database has only one node.
describe.runIf(process.env.TEST_ON)('a key revoked on another node', () => {
  let one: TestNode
  let other: TestNode
  let team: TestTeam

  beforeAll(async () => {
    one = await startOwnNode()
    other = await startTestNode({ SVC_ROLES: 'api', DATABASE_URL: String(one.settings.DATABASE_URL) })
    team = await newTeam(one)
  })

  afterAll(async () => {
    await other.stop()
    await one.stop()
  })

  /** A new key that the other node has in its cache. */
  async function warmKey() {
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const api = apiOf(other, key.token)
    expect((await api('GET', '/v1/projects')).status).toBe(200)
    return { id: key.id as string, token: key.token as string, list: () => api('GET', '/v1/projects') }
  }

  it('is refused as soon as the notification arrives', async () => {
    const key = await warmKey()
    const heard = new Promise<Change>((resolve) => {
      const changed = (change: Change) => {
        if (change.id === hashToken(asSecret(key.token))) resolve(change)
      }
      onTestFinished(other.installation.store.changes.subscribe({ changed, missed: () => {} }))
    })
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    expect((await heard).kind).toBe('key')
    expect((await key.list()).status).toBe(401)
  })

  it('is refused within a second when no notification is sent', async () => {
    const key = await warmKey()
    await one.installation.store.db.delete(apiKeys).where(eq(apiKeys.id, key.id))
    await sleep(1_000)
    expect((await key.list()).status).toBe(401)
  })

  it('is refused within a second when the listening connections are cut', async () => {
    const key = await warmKey()
    const cut = () =>
      one.installation.store.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen %'`)
    expect(await cut()).toHaveLength(2)
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    const until = performance.now() + 1_000
    while (performance.now() < until) {
      await cut()
      await sleep(50)
    }
    expect((await key.list()).status).toBe(401)
  })

  it('causes notifications again after those connections were cut', async () => {
    const key = await warmKey()
    const listening = () =>
      one.installation.store.db.execute(sql`
        select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`)
    await expect.poll(listening, { timeout: 10_000 }).toHaveLength(2)
    const heard = new Promise<void>((resolve) => {
      const changed = (change: Change) => {
        if (change.id === hashToken(asSecret(key.token))) resolve()
      }
      onTestFinished(other.installation.store.changes.subscribe({ changed, missed: () => {} }))
    })
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    await heard
  })
})
