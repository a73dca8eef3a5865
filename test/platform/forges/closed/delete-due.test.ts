/** Deployments of closed pull requests are deleted after the days that their project says. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { closePullRequest } from '../../../../src/platform/forges/closed/close.ts'
import { deleteClosed } from '../../../../src/platform/forges/closed/delete-due.ts'
import { events } from '../../../../src/stores/db/schema/events.ts'
import { hosts } from '../../../../src/stores/db/schema/hosts.ts'
import { closedPullRequests } from '../../../../src/stores/db/schema/project-repositories.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { Answer } from '../../../support/api.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { insertDeployment } from '../../deployments/steps.ts'

const dayMs = 24 * 60 * 60 * 1000
const closedMs = Date.now()
const url = 'https://github.com/acme/web'

let node: TestNode
let team: TestTeam
let project: Answer['body']

beforeAll(async () => {
  node = await startOwnNode()
})
afterAll(() => node.stop())

beforeEach(async () => {
  team = await newTeam(node)
  project = (await put({ url, close_days: 7 })).body
})

const put = (git: unknown) => team.owner('PUT', '/v1/projects/web', { git })

const forged = {
  state: 'ready',
  sourceKind: 'forge',
  meta: { branch: 'next', pull_request: '7' },
  createdMs: closedMs - 1_000,
} as const

const insert = (row: Partial<typeof deployments.$inferInsert> = {}) =>
  insertDeployment(node, team, { ...forged, ...row })

const close = (number = 7, branch = 'next', atMs = closedMs) =>
  node.installation.store.transact((tx) =>
    closePullRequest(tx, { projectId: project.id, branch, number }, atMs),
  )

/** The number of deployments that are deleted after so many days. */
const deleteAfter = (days: number, moreMs = 0) =>
  deleteClosed({
    store: node.installation.store,
    sitesUrl: node.sitesUrl,
    certifiedUrl: node.certifiedUrl,
    nowMs: closedMs + days * dayMs + moreMs,
  })

async function left(): Promise<string[]> {
  const { db } = node.installation.store
  const rows = await db.select().from(deployments).where(eq(deployments.teamId, team.id))
  return rows.map(({ id }) => id)
}

async function waiting(): Promise<number[]> {
  const { db } = node.installation.store
  const rows = await db.select().from(closedPullRequests).where(eq(closedPullRequests.projectId, project.id))
  return rows.map(({ number }) => number)
}

describe('the deployments of a closed pull request', () => {
  it('are deleted after the days of the project, in every final state, as events say', async () => {
    const ids = [
      await insert(),
      await insert({ state: 'error' }),
      await insert({ state: 'canceled', createdMs: closedMs }),
    ]
    await close()
    expect(await deleteAfter(7, -1)).toBe(0)
    expect(await left()).toHaveLength(3)
    expect(await deleteAfter(7)).toBe(3)
    expect(await left()).toEqual([])
    expect(await waiting()).toEqual([])
    const { db } = node.installation.store
    const happened = await db.select().from(events).where(eq(events.teamId, team.id))
    const deleted = JSON.stringify(happened.filter(({ type }) => type === 'deployment.deleted'))
    for (const id of ids) expect(deleted).toContain(id)
  })

  it.each<[string, Partial<typeof deployments.$inferInsert>]>([
    ['made by a caller who says that branch', { sourceKind: 'api' }],
    ['made again from its sources', { sourceKind: 'redeploy' }],
    ['of another branch', { meta: { branch: 'next2', pull_request: '7' } }],
    ['of no branch', { meta: { pull_request: '7' } }],
    ['of another pull request of the branch', { meta: { branch: 'next', pull_request: '8' } }],
    ['made by a push', { meta: { branch: 'next' } }],
    ['whose commit was pushed, too', { pushedToo: true }],
    ['made after it was closed', { createdMs: closedMs + 1 }],
    ['made for production', { target: 'production' }],
    ['live once', { liveSinceMs: closedMs - 10 }],
    ['of a stranger', { untrusted: true }],
  ])('are not those %s', async (_, row) => {
    const kept = await insert(row)
    await insert()
    await close()
    expect(await deleteAfter(300)).toBe(1)
    expect(await left()).toEqual([kept])
    expect(await waiting()).toEqual([])
  })

  it('are not those that are live, or have the address of a branch', async () => {
    const { db } = node.installation.store
    const live = await insert()
    expect((await team.owner('POST', `/v1/deployments/${live}/promote`)).status).toBe(200)
    const addressed = await insert()
    await close()
    const label = `web-git-next-${randomUUID().slice(0, 8)}`
    const host = { label, teamId: team.id, projectId: project.id, deploymentId: addressed, branch: 'next' }
    await db.insert(hosts).values(host)
    expect(await deleteAfter(300)).toBe(0)
    expect((await left()).sort()).toEqual([live, addressed].sort())
  })

  it('are not those of another project, nor of another team', async () => {
    await insert()
    await close()
    const [own, other] = [team, await newTeam(node)]
    team = other
    const kept = await insert()
    expect(await deleteAfter(300)).toBe(1)
    expect(await left()).toEqual([kept])
    team = own
    expect(await left()).toEqual([])
  })

  it('that are being built are deleted once they have ended', async () => {
    const { db } = node.installation.store
    const id = await insert({ state: 'building' })
    await close()
    expect(await deleteAfter(7)).toBe(0)
    expect(await waiting()).toEqual([7])
    await db.update(deployments).set({ state: 'ready' }).where(eq(deployments.id, id))
    expect(await deleteAfter(7, 30_000)).toBe(0)
    expect(await deleteAfter(7, 60_000)).toBe(1)
    expect(await left()).toEqual([])
  })

  it('are deleted a hundred at a time', async () => {
    const { db } = node.installation.store
    const [first] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, await insert()))
    if (!first) throw new Error('There is no deployment.')
    await db
      .insert(deployments)
      .values(Array.from({ length: 100 }, () => ({ ...first, id: newId('deployment', closedMs) })))
    await close()
    expect(await deleteAfter(7)).toBe(100)
    expect(await waiting()).toEqual([7])
    expect(await deleteAfter(7)).toBe(1)
    expect(await deleteAfter(7)).toBe(0)
    expect(await waiting()).toEqual([])
  })

  it('of two pull requests, by two nodes at once, are each deleted once', async () => {
    for (let at = 0; at < 10; at += 1)
      await insert({
        meta: at % 2 === 0 ? forged.meta : { branch: 'other', pull_request: '8' },
      })
    await close()
    await close(8, 'other')
    await close(9)
    const counts = await Promise.all([1, 2, 3].map(() => deleteAfter(7)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10)
    expect(await left()).toEqual([])
    await deleteAfter(7)
    expect(await waiting()).toEqual([])
  })
})

describe('the days', () => {
  it('count for what waits, too, when they change', async () => {
    await insert()
    await close()
    await put({ close_days: 30 })
    expect(await deleteAfter(29)).toBe(0)
    await put({ close_days: null })
    expect(await deleteAfter(365)).toBe(0)
    expect(await waiting()).toEqual([7])
    await put({ close_days: 0 })
    expect(await deleteAfter(0)).toBe(1)
  })

  it('end with the repository: what it left stays', async () => {
    await insert()
    await close()
    await put({ url: 'https://github.com/acme/other' })
    expect((await team.owner('GET', '/v1/projects/web')).body.git.close_days).toBe(null)
    expect(await waiting()).toEqual([])
    await put({ url, close_days: 0 })
    await close()
    await put(null)
    expect(await waiting()).toEqual([])
    expect(await deleteAfter(365)).toBe(0)
    expect(await left()).toHaveLength(1)
  })

  it('end with the project', async () => {
    await insert()
    await close()
    expect((await team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
    expect(await waiting()).toEqual([])
  })
})

it('a project has a thousand that wait, the last ones that were closed', async () => {
  const { db } = node.installation.store
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    projectId: project.id as string,
    number: at + 1,
    branch: `b${at}`,
    closedMs: closedMs + at,
  }))
  await db.insert(closedPullRequests).values(rows)
  await insert({ meta: { branch: 'next', pull_request: '2000' } })
  await close(2_000, 'next', closedMs + 5_000)
  const numbers = await waiting()
  expect(numbers).toHaveLength(1_000)
  expect(numbers).toContain(2_000)
  expect(numbers).not.toContain(1)
})
