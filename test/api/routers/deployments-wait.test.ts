import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { deploy, insertDeployment } from '../../platform/deployments/steps.ts'
import { apiOf } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

afterEach(() => vi.restoreAllMocks())

const wait = (team: TestTeam, id: string, seconds: number | string) =>
  team.owner('GET', `/v1/deployments/${id}?wait_s=${seconds}`)

/** The number of additional listeners to changes. */
function countListeners(): () => number {
  let count = 0
  const { subscribe } = store.changes
  vi.spyOn(store.changes, 'subscribe').mockImplementation((listener) => {
    const stop = subscribe(listener)
    count += 1
    return () => {
      count -= 1
      stop()
    }
  })
  return () => count
}

async function becomeReady(id: string, { notify }: { notify: boolean }): Promise<void> {
  await store.db.update(deployments).set({ state: 'ready', endedMs: 1 }).where(eq(deployments.id, id))
  if (notify) store.changes.publish({ kind: 'deployment', id })
}

describe('wait_s', () => {
  it('responds at once when the state is final', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    const startMs = performance.now()
    expect((await wait(team, id, 30)).body.state).toBe('ready')
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })

  it('returns nothing to a key that was revoked meanwhile', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const made = await team.owner('POST', '/v1/apikeys', { name: 'waits', role: 'member' })
    const listening = countListeners()
    const waiting = apiOf(node, made.body.token)('GET', `/v1/deployments/${id}?wait_s=30`)
    await eventually(() => expect(listening()).toBe(1))
    await team.owner('DELETE', `/v1/apikeys/${made.body.id}`)
    await becomeReady(id, { notify: true })
    expect(await waiting).toMatchObject({ status: 401, body: { reason: 'unauthorized' } })
  })

  it('responds as soon as the deployment ends, to all waiting calls', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const listening = countListeners()
    const waiting = [1, 2, 3].map(() => wait(team, id, 30))
    await eventually(() => expect(listening()).toBe(3))
    await becomeReady(id, { notify: true })
    for (const { status, body } of await Promise.all(waiting)) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, state: 'ready' })
    }
    expect(listening()).toBe(0)
  })

  it('responds within seconds also without a notification', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const listening = countListeners()
    const waiting = wait(team, id, 25)
    await eventually(() => expect(listening()).toBe(1))
    const startMs = performance.now()
    await becomeReady(id, { notify: false })
    expect((await waiting).body.state).toBe('ready')
    expect(performance.now() - startMs).toBeLessThan(15_000)
  })

  it('keeps waiting through a state that is not final', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const listening = countListeners()
    const waiting = wait(team, id, 30)
    await eventually(() => expect(listening()).toBe(1))
    await store.db.update(deployments).set({ state: 'building' }).where(eq(deployments.id, id))
    store.changes.publish({ kind: 'deployment', id })
    await sleep(100)
    await becomeReady(id, { notify: true })
    expect((await waiting).body.state).toBe('ready')
  })

  it('returns the deployment as it is when the time is over', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const startMs = performance.now()
    const { status, body } = await wait(team, id, 1)
    expect(status).toBe(200)
    expect(body.state).toBe('queued')
    expect(performance.now() - startMs).toBeGreaterThan(990)
  })

  it('responds to waiting calls when the deployment is canceled', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const listening = countListeners()
    const waiting = wait(team, id, 30)
    await eventually(() => expect(listening()).toBe(1))
    await team.owner('DELETE', `/v1/deployments/${id}`)
    expect((await waiting).body.state).toBe('canceled')
  })

  it('404 to waiting calls when it is deleted', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const listening = countListeners()
    const waiting = wait(team, id, 30)
    await eventually(() => expect(listening()).toBe(1))
    await store.db.delete(deployments).where(eq(deployments.id, id))
    const { status, body } = await waiting
    expect(status).toBe(404)
    expect(body.reason).toBe('deployment_not_found')
  })

  it('404 at once for an unknown deployment', async () => {
    expect((await wait(await newTeam(node), 'dpl_nothing', 30)).status).toBe(404)
  })

  it.each(['31', '-1', '1.5', 'long', ''])('400 that names it when it is "%s"', async (seconds) => {
    const team = await newTeam(node)
    const { status, body } = await wait(team, await insertDeployment(node, team), seconds)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'wait_s' }])
  })
})

describe('a client that disconnects while it waits', () => {
  it('leaves nothing behind', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team)
    const listening = countListeners()
    const going = new AbortController()
    const url = `${node.apiUrl}/v1/deployments/${id}?wait_s=30`
    const headers = { authorization: `Bearer ${team.ownerKey}` }
    const waiting = Array.from({ length: 20 }, () => fetch(url, { headers, signal: going.signal }))
    await eventually(() => expect(listening()).toBe(20))
    going.abort()
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected')
    await eventually(() => expect(listening()).toBe(0))
  })

  it('is not the only way to clean up: many calls on one connection leave no listeners on it', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    const warnings: string[] = []
    const warned = (warning: Error) => warnings.push(warning.message)
    process.on('warning', warned)
    const api = apiOf(node, team.ownerKey)
    for (let i = 0; i < 30; i += 1) await api('GET', `/v1/deployments/${id}?wait_s=${i % 2}`)
    await sleep(10)
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })
})
