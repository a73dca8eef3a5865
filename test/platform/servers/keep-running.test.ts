/** Servers in production that run without requests, on a database whose projects nobody else changes. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { ServerWanted } from '../../../src/platform/servers/servers.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { until } from '../../support/eventually.ts'
import type { TestNode } from '../../support/node.ts'
import { answering, ending } from './plain-process.ts'
import { closePools, mebibyte, newPool, newServer } from './pools.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode({ SVC_ROLES: 'api' })
})

afterAll(() => node.stop())

afterEach(async () => {
  await closePools()
  await node.installation.store.db.update(projects).set({ runtime: {} })
})

/** A server that is live and to be kept running. */
async function newKept(given: Parameters<typeof newServer>[1] = {}) {
  const { team, wanted } = await newServer(node, { ...given, runtime: { min: 1, ...given.runtime } })
  const live: ServerWanted = { ...wanted, target: 'production' }
  await promote(live)
  return { team, live }
}

async function newInProduction(): Promise<ServerWanted> {
  const { wanted } = await newServer(node)
  return { ...wanted, target: 'production' }
}

async function promote({ projectId, deploymentId }: Pick<ServerWanted, 'projectId' | 'deploymentId'>) {
  const { store } = node.installation
  await store.db
    .update(projects)
    .set({ productionDeploymentId: deploymentId })
    .where(eq(projects.id, projectId))
  store.changes.publish({ kind: 'project', id: projectId })
}

it('starts without a request, and stays when it is idle', async () => {
  const { live } = await newKept()
  const idle = await newServer(node)
  const { lease, clock, stateOf, processes } = newPool(node)
  await until(() => stateOf(live) === 'running')
  ;(await lease(idle.wanted)).end()
  clock.nowMs += 3_600_000
  // The one that comes after it has been seen to.
  await until(() => stateOf(idle.wanted) === 'stopped')
  expect(stateOf(live)).toBe('running')
  expect(processes).toHaveLength(2)
})

it('does not give way to a server that needs its room', async () => {
  const { live } = await newKept()
  const [next, last] = [await newInProduction(), await newInProduction()]
  const { lease, stateOf } = newPool(node, { room: { processes: 2, bytes: 10_000 * mebibyte } })
  await until(() => stateOf(live) === 'running')
  for (const wanted of [next, last]) (await lease(wanted)).end()
  expect([live, next, last].map(stateOf)).toEqual(['running', 'stopped', 'running'])
})

it('is the one that is live, from a promote on', async () => {
  const { team, live } = await newKept()
  const next = await newServer(node, { team, runtime: { min: 1 } })
  const { clock, stateOf } = newPool(node)
  await until(() => stateOf(live) === 'running')
  await promote(next.wanted)
  await until(() => stateOf(next.wanted) === 'running')
  clock.nowMs += 3_600_000
  await until(() => stateOf(live) === 'stopped')
})

it('starts again after it has ended by itself, once its pause is over', async () => {
  const { live } = await newKept()
  const { clock, stateOf, processes } = newPool(node, { programs: [ending, ending, answering] })
  await until(() => stateOf(live) === 'crashed')
  await promote(live)
  await until(() => processes.length === 2 && stateOf(live) === 'crashed')
  // Whoever comes later in the same look starts at once.
  const { live: other } = await newKept()
  await until(() => stateOf(other) === 'running')
  expect(stateOf(live)).toBe('crashed')
  clock.nowMs += 60_000
  await promote(live)
  await until(() => stateOf(live) === 'running')
})

it('runs beyond the part of a team, or of all of them, as any other: with its first request', async () => {
  const first = await newKept()
  const second = await newKept({ team: first.team, project: 'other' })
  const { lease, said, stateOf } = newPool(node, { room: { processes: 4, bytes: 10_000 * mebibyte } })
  await until(() => stateOf(first.live) === 'running')
  await until(() => said.length > 0)
  expect(said).toEqual([expect.stringContaining('no room to keep the server running')])
  expect(stateOf(second.live)).toBe('stopped')
  await lease(second.live)
})
