import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/db/database.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { manifests } from '../../../src/stores/db/schema/manifests.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { deploy, insertDeployment, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

const minuteMs = 60_000

async function rowOf(id: string) {
  const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
  return row
}

describe('DELETE of a deployment that has ended', () => {
  it('deletes it: then it is 404, and so is its host on the very next visit', async () => {
    const team = await newTeam(node)
    const { id, url } = await deploy(team)
    expect((await visit(url)).status).toBe(200)
    const row = await rowOf(id)
    const { status, body } = await team.owner('DELETE', `/v1/deployments/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ id, deleted: true })
    expect((await visit(url)).status).toBe(404)
    for (const method of ['GET', 'DELETE']) {
      const again = await team.owner(method, `/v1/deployments/${id}`)
      expect(again.status).toBe(404)
      expect(again.body.reason).toBe('deployment_not_found')
    }
    expect((await team.owner('POST', `/v1/deployments/${id}/promote`)).status).toBe(404)
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
    expect(await db.select().from(hosts).where(eq(hosts.deploymentId, id))).toEqual([])
    const released = await db
      .select()
      .from(manifests)
      .where(eq(manifests.id, row?.manifestId ?? 0))
    for (const { releasedMs } of released) expect(releasedMs).toBeGreaterThan(0)
  })

  it.each(['ready', 'error'] as const)(
    '403 role_required to a member for one that is %s; it stays',
    async (state) => {
      const team = await newTeam(node)
      const { api } = await addMember(node, team)
      const id = await insertDeployment(node, team, { state })
      const { status, body } = await api('DELETE', `/v1/deployments/${id}`)
      expect(status).toBe(403)
      expect(body.reason).toBe('role_required')
      expect((await rowOf(id))?.state).toBe(state)
      expect((await team.owner('DELETE', `/v1/deployments/${id}`)).status).toBe(200)
    },
  )

  it('409 is_live for the live one, and visitors still see it', async () => {
    const team = await newTeam(node)
    const live = await deploy(team, { target: 'production' })
    const { status, body } = await team.owner('DELETE', `/v1/deployments/${live.id}`)
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'CONFLICT', reason: 'is_live' })
    expect((await visit(live.aliases[0])).status).toBe(200)
    const next = await deploy(team, { target: 'production' })
    expect((await team.owner('DELETE', `/v1/deployments/${live.id}`)).status).toBe(200)
    expect((await visit(next.aliases[0])).status).toBe(200)
  })

  it('either deletes or promotes when both are requested at once, never half of each', async () => {
    for (let round = 0; round < 6; round += 1) {
      const team = await newTeam(node)
      const { id } = await deploy(team)
      const [promoted, deleted] = await Promise.all([
        team.owner('POST', `/v1/deployments/${id}/promote`),
        team.owner('DELETE', `/v1/deployments/${id}`),
      ])
      const { body: project } = await team.owner('GET', '/v1/projects/web')
      const outcome = [promoted.status, deleted.status, project.production_deployment]
      expect([
        [200, 409, id],
        [404, 200, null],
      ]).toContainEqual(outcome)
    }
  })

  it('responds with one 200 and otherwise 404 to concurrent requests', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    const answers = await Promise.all([1, 2, 3, 4].map(() => team.owner('DELETE', `/v1/deployments/${id}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
  })
})

describe.each(['queued', 'building'] as const)('DELETE of a deployment that is %s', (state) => {
  it('cancels it, for members too, and returns it', async () => {
    const team = await newTeam(node)
    const { api } = await addMember(node, team)
    const id = await insertDeployment(node, team, { state })
    const { status, body } = await api('DELETE', `/v1/deployments/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, state: 'canceled', ready_ms: null })
    expect(body.ended_ms).toBeGreaterThanOrEqual(body.created_ms)
    expect((await api('GET', `/v1/deployments/${id}`)).body).toEqual(body)
  })

  it('returns the canceled deployment again within a minute, also to concurrent requests', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, { state })
    const answers = await Promise.all([1, 2, 3].map(() => team.owner('DELETE', `/v1/deployments/${id}`)))
    answers.push(await team.owner('DELETE', `/v1/deployments/${id}`))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  })
})

describe('DELETE of a deployment that was canceled a minute ago or longer', () => {
  const canceledBefore = (agoMs: number) => {
    const endedMs = Date.now() - agoMs
    return { state: 'canceled', createdMs: endedMs - 1_000, endedMs } as const
  }

  it('deletes it', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, canceledBefore(minuteMs))
    const { body } = await team.owner('DELETE', `/v1/deployments/${id}`)
    expect(body).toEqual({ id, deleted: true })
    expect(await rowOf(id)).toBeUndefined()
  })

  it('403 role_required to a member', async () => {
    const team = await newTeam(node)
    const { api } = await addMember(node, team)
    const id = await insertDeployment(node, team, canceledBefore(minuteMs))
    expect((await api('DELETE', `/v1/deployments/${id}`)).status).toBe(403)
    expect((await rowOf(id))?.state).toBe('canceled')
  })

  it('not yet: a little less than a minute is still the same response', async () => {
    const team = await newTeam(node)
    const id = await insertDeployment(node, team, canceledBefore(minuteMs - 20_000))
    const { body } = await team.owner('DELETE', `/v1/deployments/${id}`)
    expect(body).toMatchObject({ id, state: 'canceled' })
  })
})
