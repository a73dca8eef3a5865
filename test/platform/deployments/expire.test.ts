import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expirePreviews } from '../../../src/platform/deployments/expire.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deploy, insertDeployment, visit } from './steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

const dayMs = 24 * 60 * 60 * 1000
const nowMs = Date.now()

const expire = (atMs = nowMs) =>
  expirePreviews({
    store: node.installation.store,
    sitesUrl: node.sitesUrl,
    certifiedUrl: node.certifiedUrl,
    nowMs: atMs,
  })
const keepFor = (team: TestTeam, days: number | null, project = 'web') =>
  team.owner('PUT', `/v1/projects/${project}`, { preview_ttl_days: days })

async function left(team: TestTeam): Promise<string[]> {
  const { db } = node.installation.store
  const rows = await db.select().from(deployments).where(eq(deployments.teamId, team.id))
  return rows.map(({ id }) => id)
}

const old = { createdMs: nowMs - 8 * dayMs, state: 'ready' } as const

describe('previews past preview_ttl_days', () => {
  it('are deleted, and their hosts are 404 on the very next visit', async () => {
    const team = await newTeam(node)
    const { id, url } = await deploy(team)
    await keepFor(team, 7)
    expect((await visit(url)).status).toBe(200)
    await expire(Date.now() + 7 * dayMs + 60_000)
    expect((await team.owner('GET', `/v1/deployments/${id}`)).status).toBe(404)
    expect((await visit(url)).status).toBe(404)
  })

  it('are deleted in every final state', async () => {
    const team = await newTeam(node)
    for (const state of ['ready', 'error', 'canceled'] as const)
      await insertDeployment(node, team, { ...old, state })
    await keepFor(team, 7)
    await expire()
    expect(await left(team)).toEqual([])
  })

  it('are deleted a hundred at a time', async () => {
    const team = await newTeam(node)
    for (let i = 0; i < 101; i += 1) await insertDeployment(node, team, old)
    await keepFor(team, 7)
    expect(await expire()).toBe(100)
    expect(await left(team)).toHaveLength(1)
    expect(await expire()).toBe(1)
    expect(await left(team)).toEqual([])
    expect(await expire()).toBe(0)
  })

  it('are deleted from the moment after expires_ms', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, old)
    await keepFor(team, 8)
    const { body } = await team.owner('GET', `/v1/deployments/${id}`)
    expect(body.expires_ms).toBe(nowMs)
    await expire(body.expires_ms)
    expect(await left(team)).toEqual([id])
    await expire(body.expires_ms + 1)
    expect(await left(team)).toEqual([])
  })
})

describe('kept however old', () => {
  it.each([
    ['a deployment for production', { target: 'production' }],
    ['a preview that was live once', { liveSinceMs: nowMs - 5 * dayMs }],
    ['a preview that is queued', { state: 'queued' }],
    ['a preview that is building', { state: 'building' }],
  ] as const)('%s, and it has no expires_ms', async (_, row) => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, { ...old, ...row })
    await keepFor(team, 1)
    await expire()
    expect(await left(team)).toEqual([id])
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.expires_ms).toBeNull()
  })

  it('a preview that was promoted, while it is live and afterwards', async () => {
    const team = await newTeam(node)
    const first = await deploy(team)
    await team.owner('POST', `/v1/deployments/${first.id}/promote`)
    await keepFor(team, 1)
    await expire(nowMs + 10 * dayMs)
    expect((await visit((await team.owner('GET', '/v1/projects/web')).body.production_url)).status).toBe(200)
    const second = await deploy(team, { target: 'production' })
    await expire(nowMs + 10 * dayMs)
    expect((await left(team)).toSorted()).toEqual([first.id, second.id].toSorted())
  })

  it('a preview of a project without preview_ttl_days, also when it was cleared', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, old)
    await keepFor(team, 1)
    await keepFor(team, null)
    await keepFor(team, 1, 'other')
    await expire()
    expect(await left(team)).toEqual([id])
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.expires_ms).toBeNull()
  })

  it('a preview that is not old enough', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, old)
    await keepFor(team, 9)
    await expire()
    expect(await left(team)).toEqual([id])
  })
})

it('either promotes or expires a preview when both happen at once, never half of each', async () => {
  for (let round = 0; round < 6; round += 1) {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    await keepFor(team, 1)
    const [promoted] = await Promise.all([
      team.owner('POST', `/v1/deployments/${id}/promote`),
      expire(Date.now() + 2 * dayMs),
    ])
    const { body: project } = await team.owner('GET', '/v1/projects/web')
    expect([promoted.status, project.production_deployment]).toEqual(
      (await left(team)).length > 0 ? [200, id] : [404, null],
    )
  }
})
