/** Builds that end early: canceled, deleted with their project, stopped with their node. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { leaseMs } from '../../../../src/stores/queue/queue.ts'
import { apiOf } from '../../../support/api.ts'
import { eventually } from '../../../support/eventually.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded, whenIn } from '../build-node.ts'
import { countProcesses } from '../processes.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes()
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

/** Sooner than the next heartbeat would notice it. */
const soonMs = 3_000

let sleeps = 40_000

/** Starts a build that runs for hours, in a recognizable process; resolves once that runs. */
async function endless(): Promise<{ id: string; url: string; isRunning: () => Promise<boolean> }> {
  const command = `sleep ${process.pid}${++sleeps}`
  const { id, url } = await deployBuild(team, `${command} & wait`)
  const isRunning = async () => (await countProcesses(command)) > 1
  await eventually(async () => expect(await isRunning()).toBe(true), { limitMs: 60_000 })
  return { id, url, isRunning: async () => (await countProcesses(command)) > 0 }
}

const cancel = (id: string) => team.owner('DELETE', `/v1/deployments/${id}`)

describe('DELETE of a deployment that is not ready', { timeout: testTimeout }, () => {
  it('cancels a queued one, which is never built; those behind it move up', async () => {
    const { id: first } = await endless()
    const { id } = await deployBuild(team, 'true')
    const behind = await deployBuild(team, 'true')
    expect(behind.queue_position).toBe(2)
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, state: 'canceled', queue_position: null, building_ms: null })
    const { body: list } = await team.owner('GET', '/v1/deployments')
    expect(list.data.map((each: { queue_position: number | null }) => each.queue_position)).toEqual([
      1,
      null,
      null,
    ])
    await cancel(behind.id)
    await cancel(first)
    expect(await linesOf(node, id)).toEqual([])
  })

  it('ends the processes of a running build, and leaves nothing of it but its sources', async () => {
    const { id, url, isRunning } = await endless()
    const { body } = await cancel(id)
    expect(body).toMatchObject({ id, state: 'canceled', error: null })
    await eventually(async () => expect(await isRunning()).toBe(false), { limitMs: soonMs })
    const workspaces = join(node.settings.SVC_DATA_DIR, 'builds')
    await eventually(async () => expect(await readdir(workspaces)).toEqual([]))
    const { db } = node.installation.store
    const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
    expect(row).toMatchObject({ state: 'canceled', manifestId: null, worker: null })
    const kept = await db.select().from(manifests).where(eq(manifests.teamId, team.id))
    expect(kept.map(({ id, releasedMs }) => [id, releasedMs])).toEqual([[row?.sourceManifestId, null]])
    expect((await visit(url)).status).toBe(404)
  })

  it('returns the canceled one again when repeated, and makes room for the next build', async () => {
    const { id } = await endless()
    await cancel(id)
    expect((await cancel(id)).body).toMatchObject({ id, state: 'canceled' })
    const next = await deployBuild(team, 'mkdir dist && echo next > dist/index.html')
    expect(await whenEnded(team, next.id)).toMatchObject({ state: 'ready' })
  })

  it.runIf(process.env.TEST_ON)('reaches the node that builds when sent to another node', async () => {
    const other = await nodes.start({ SVC_ROLES: 'api' })
    const { id, isRunning } = await endless()
    const { body } = await apiOf(other, team.ownerKey)('DELETE', `/v1/deployments/${id}`)
    expect(body).toMatchObject({ id, state: 'canceled' })
    await eventually(async () => expect(await isRunning()).toBe(false), { limitMs: soonMs })
  })

  it('works when the worker is gone', async () => {
    const { id } = await endless()
    const { db } = node.installation.store
    // Another node runs it, as far as this node knows.
    await db
      .update(deployments)
      .set({ worker: 'gone', leaseUntilMs: Date.now() + leaseMs })
      .where(eq(deployments.id, id))
    expect((await cancel(id)).body).toMatchObject({ id, state: 'canceled' })
    expect((await whenEnded(team, id)).state).toBe('canceled')
  })
})

describe('deleting a project', { timeout: testTimeout }, () => {
  it('ends its builds', async () => {
    const { id, isRunning } = await endless()
    expect((await team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
    await eventually(async () => expect(await isRunning()).toBe(false), { limitMs: soonMs })
    expect((await team.owner('GET', `/v1/deployments/${id}`)).status).toBe(404)
    const unreleased = (await node.installation.store.db.select().from(manifests)).filter(
      ({ teamId, releasedMs }) => teamId === team.id && releasedMs === null,
    )
    expect(unreleased).toEqual([])
  })
})

describe('a node that stops', { timeout: testTimeout }, () => {
  it('ends its builds at once, and leaves them to the next worker', async () => {
    const own = await startBuildNodes()
    team = await newTeam(own.node)
    const { id, isRunning } = await endless()
    await whenIn(team, id, 'building')
    const notified: string[] = []
    own.node.installation.store.changes.subscribe({
      changed: (change) => notified.push(`${change.kind} ${change.id}`),
      missed: () => {},
    })
    await own.node.stop()
    expect(await isRunning()).toBe(false)
    expect(notified).toEqual(expect.arrayContaining([`deployment ${id}`, 'work builds']))
    await own.stop()
  })
})
