/** A build that waits is made only if its maker may still make it when its turn comes. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimBuilds } from '../../../../src/platform/deployments/queued/claim.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { members } from '../../../../src/stores/db/schema/teams.ts'
import { limitMember } from '../../../support/limits.ts'
import type { TestNode } from '../../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'
import { deployBuild, startBuildNodes } from '../../builds/build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode

beforeAll(async () => {
  // Without a worker, so that only the test claims builds.
  nodes = await startBuildNodes({ SVC_ROLES: 'api,edge' })
  ;({ node } = nodes)
})

afterAll(() => nodes.stop())

type Maker = Awaited<ReturnType<typeof addMember>>

const setRole = (role: 'member' | 'owner', { userId }: Maker) =>
  node.installation.store.db.update(members).set({ role }).where(eq(members.userId, userId))

const changes: Record<string, (team: TestTeam, maker: Maker) => Promise<unknown>> = {
  'was removed': (_, { userId }) =>
    node.installation.store.db.delete(members).where(eq(members.userId, userId)),
  'was demoted': (_, maker) => setRole('member', maker),
  'was limited to other projects': async (team, maker) => {
    await setRole('member', maker)
    await limitMember(node, team, maker.userId, [])
  },
}

const claim = (limit = 10) => {
  const { store } = node.installation
  const { sitesUrl, certifiedUrl } = node
  return claimBuilds(
    { store, sitesUrl, certifiedUrl, nowMs: Date.now },
    { worker: 'test', running: [], limit },
  )
}

it.each([
  ['was removed', false, true],
  ['was demoted', false, false],
  ['was demoted', true, true],
  ['was limited to other projects', false, true],
] as const)(
  'of somebody who %s (a commit of a fork: %s) it is canceled: %s',
  async (change, untrusted, ends) => {
    const team = await newTeam(node)
    const maker = await addMember(node, team, 'owner')
    const { id } = await deployBuild({ ...team, owner: maker.api }, 'true')
    const other = await deployBuild(team, 'true')
    const { db } = node.installation.store
    await db.update(deployments).set({ untrusted }).where(eq(deployments.id, id))
    await changes[change]?.(team, maker)
    const jobs = await claim()
    expect(jobs.map((job) => job.id).sort()).toEqual((ends ? [other.id] : [id, other.id]).sort())
    const { body } = await team.owner('GET', `/v1/deployments/${id}`)
    expect(body).toMatchObject(ends ? { state: 'canceled', error: null } : { state: 'building' })
    const log = await team.owner('GET', `/v1/logs?kind=audit&deployment=${id}`)
    expect(JSON.stringify(log.body).includes('deployment.canceled')).toBe(ends)
  },
)

it('the next one in turn is looked for at once', async () => {
  const team = await newTeam(node)
  const maker = await addMember(node, team)
  await deployBuild({ ...team, owner: maker.api }, 'true')
  const other = await deployBuild(team, 'true')
  await changes['was removed']?.(team, maker)
  const heard: unknown[] = []
  const stop = node.installation.store.changes.subscribe({
    changed: (change) => heard.push(change),
    missed: () => {},
  })
  expect(await claim(1)).toEqual([])
  expect(heard).toContainEqual({ kind: 'work', id: 'builds' })
  expect((await claim(1)).map(({ id }) => id)).toEqual([other.id])
  stop()
})
