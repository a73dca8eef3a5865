import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { promoteByItself } from '../../../src/platform/deployments/promote.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { insertDeployment } from './steps.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

/** A project with ready deployments, each created at the time of its position. */
async function newProject(...times: number[]) {
  const team = await newTeam(node)
  const { body: project } = await team.owner('PUT', '/v1/projects/web')
  const made: { id: string; createdMs: number }[] = []
  for (const createdMs of times) {
    const id = await insertDeployment(node, team, { state: 'ready', target: 'production', createdMs })
    made.push({ id, createdMs })
  }
  const set = (values: Partial<typeof projects.$inferInsert>) =>
    store.db.update(projects).set(values).where(eq(projects.id, project.id))
  const promote = (deployment: { id: string; createdMs: number }) =>
    store.transact((tx) => promoteByItself(tx, project.id, deployment, deployment.createdMs))
  const live = async () => {
    const [row] = await store.db.select().from(projects).where(eq(projects.id, project.id))
    return row?.productionDeploymentId
  }
  return { made, set, promote, live }
}

describe('a deployment is promoted automatically', () => {
  it('when no deployment is live', async () => {
    const { made, promote, live } = await newProject(1_000)
    const [first = never()] = made
    expect(await promote(first)).toBeTruthy()
    expect(await live()).toBe(first.id)
    const [row] = await store.db.select().from(deployments).where(eq(deployments.id, first.id))
    expect(row?.liveSinceMs).toBe(1_000)
  })

  it('when an older one is live', async () => {
    const { made, set, promote, live } = await newProject(1_000, 2_000)
    const [older = never(), newer = never()] = made
    await set({ productionDeploymentId: older.id })
    expect(await promote(newer)).toBeTruthy()
    expect(await live()).toBe(newer.id)
  })

  it('when another was promoted manually before it was created, or in that millisecond', async () => {
    for (const promotedByHandMs of [1_999, 2_000]) {
      const { made, set, promote } = await newProject(1_000, 2_000)
      const [older = never(), newer = never()] = made
      await set({ productionDeploymentId: older.id, promotedByHandMs })
      expect(await promote(newer)).toBeTruthy()
    }
  })
})

describe('a deployment is not promoted automatically', () => {
  it('when a newer one is live', async () => {
    const { made, set, promote, live } = await newProject(1_000, 2_000)
    const [older = never(), newer = never()] = made
    await set({ productionDeploymentId: newer.id })
    expect(await promote(older)).toBe(false)
    expect(await live()).toBe(newer.id)
    const [row] = await store.db.select().from(deployments).where(eq(deployments.id, older.id))
    expect(row?.liveSinceMs).toBeNull()
  })

  it('when one of the same millisecond with a greater id is live', async () => {
    const { made, set, promote, live } = await newProject(1_000, 1_000)
    const [lesser = never(), greater = never()] = made.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    await set({ productionDeploymentId: greater.id })
    expect(await promote(lesser)).toBe(false)
    await set({ productionDeploymentId: lesser.id })
    expect(await promote(greater)).toBeTruthy()
    expect(await live()).toBe(greater.id)
  })

  it('when another was promoted manually after it was created, even an older one', async () => {
    const { made, set, promote, live } = await newProject(1_000, 2_000)
    const [older = never(), newer = never()] = made
    await set({ productionDeploymentId: older.id, promotedByHandMs: 2_001 })
    expect(await promote(newer)).toBe(false)
    expect(await live()).toBe(older.id)
  })

  it('when auto_promote is off', async () => {
    const { made, set, promote, live } = await newProject(1_000)
    const [first = never()] = made
    await set({ autoPromote: false })
    expect(await promote(first)).toBe(false)
    expect(await live()).toBeNull()
  })

  it('when its project is deleted', async () => {
    const gone = newId('project', 1)
    const deployment = { id: newId('deployment', 1), createdMs: 1 }
    expect(await store.transact((tx) => promoteByItself(tx, gone, deployment, deployment.createdMs))).toBe(
      false,
    )
  })
})

function never(): never {
  throw new Error('The project has fewer deployments than that.')
}
