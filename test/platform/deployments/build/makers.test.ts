/** A build ends when its maker loses the right to it, and at the latest before it begins or is ready. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { claimBuilds } from '../../../../src/platform/deployments/queued/claim-build.ts'
import { completeBuild } from '../../../../src/platform/deployments/queued/complete.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { members } from '../../../../src/stores/db/schema/teams.ts'
import type { Transaction } from '../../../../src/stores/db/transaction.ts'
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

// Those of another test would be in turn, too.
afterEach(() => node.installation.store.db.update(deployments).set({ state: 'error' }))

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

type Case = [change: string, made: Partial<typeof deployments.$inferInsert>, reason: string | undefined]

const cases: Case[] = [
  ['was removed', {}, 'maker_removed'],
  ['was demoted', {}, undefined],
  ['was demoted', { untrusted: true }, 'maker_demoted'],
  ['was demoted', { sourceKind: 'hook' }, 'maker_demoted'],
  ['was demoted', { sourceKind: 'oidc' }, 'maker_demoted'],
  ['was limited to other projects', {}, 'maker_limited'],
  // The connection to the repository is the project's.
  ['was removed', { sourceKind: 'forge' }, undefined],
  ['was removed', { sourceKind: 'forge', untrusted: true }, 'maker_removed'],
]

async function newScene(made: Case[1]) {
  const team = await newTeam(node)
  const maker = await addMember(node, team, 'owner')
  const { id } = await deployBuild({ ...team, owner: maker.api }, 'true')
  const other = await deployBuild(team, 'true')
  const { db } = node.installation.store
  await db
    .update(deployments)
    .set({ untrusted: false, ...made })
    .where(eq(deployments.id, id))
  const read = async () => (await team.owner('GET', `/v1/deployments/${id}`)).body
  const log = async () =>
    JSON.stringify((await team.owner('GET', `/v1/logs?kind=audit&deployment=${id}`)).body)
  return { team, maker, id, other: other.id, read, log }
}

const soon = { timeout: 5_000, interval: 20 }

const canceled = (reason: string) => ({
  state: 'canceled',
  error: { reason, message: expect.stringMatching(/^Whoever made it/) },
})

it.each(cases)('of somebody who %s (%j), when its turn comes: %s', async (change, made, reason) => {
  const { team, maker, id, other, read, log } = await newScene(made)
  await changes[change]?.(team, maker)
  const jobs = await claim()
  const ends = reason !== undefined
  expect(jobs.map((job) => job.id).sort()).toEqual((ends ? [other] : [id, other]).sort())
  // A change that was announced may end it at the same moment, so that the claim leaves it alone.
  await expect.poll(read, soon).toMatchObject(ends ? canceled(reason) : { state: 'building', error: null })
  expect((await log()).includes('deployment.canceled')).toBe(ends)
})

/** As a change of the members does, on this node. */
const announce = (from: TestNode, maker: Maker) =>
  from.installation.store.transact(async (tx: Transaction) =>
    tx.announce({ kind: 'member', id: maker.userId }),
  )

describe.each(['waits', 'runs'])('one that %s', (how) => {
  it.each(cases)('of somebody who %s (%j), at once: %s', async (change, made, reason) => {
    const { team, maker, id, other, read, log } = await newScene(made)
    if (how === 'runs') expect((await claim()).map((job) => job.id).sort()).toEqual([id, other].sort())
    await changes[change]?.(team, maker)
    await announce(node, maker)
    const state = how === 'runs' ? 'building' : 'queued'
    if (reason === undefined) {
      // All has been looked for once that of somebody else, which was announced later, has ended.
      const later = await newScene({})
      await changes['was removed']?.(later.team, later.maker)
      await announce(node, later.maker)
      await expect.poll(later.read, soon).toMatchObject(canceled('maker_removed'))
      return expect(await read()).toMatchObject({ state, error: null })
    }
    await expect.poll(read, soon).toMatchObject(canceled(reason))
    expect(await log()).toContain('deployment.canceled')
    expect((await team.owner('GET', `/v1/deployments/${other}`)).body.state).toBe(state)
  })
})

it.runIf(process.env.TEST_ON)('ends also where the change comes from another node', async () => {
  const { team, maker, read } = await newScene({})
  const edge = await nodes.start({ SVC_ROLES: 'edge' })
  await changes['was removed']?.(team, maker)
  await announce(edge, maker)
  await expect.poll(read, soon).toMatchObject(canceled('maker_removed'))
})

it('does not become ready for somebody who was removed meanwhile', async () => {
  const { team, maker, id, other, read } = await newScene({})
  const jobs = await claim()
  await changes['was removed']?.(team, maker)
  const { store } = node.installation
  const { sitesUrl, certifiedUrl } = node
  const site = { entries: [], rules: null, bytes: 0, warnings: [] }
  const complete = async (of: string) => {
    const job = jobs.find((each) => each.id === of)
    return job && completeBuild({ store, sitesUrl, certifiedUrl, nowMs: Date.now }, job, site)
  }
  expect(await complete(id)).toBe(false)
  expect(await read()).toMatchObject(canceled('maker_removed'))
  expect(await complete(other)).toBe(true)
  expect((await team.owner('GET', `/v1/deployments/${other}`)).body.state).toBe('ready')
})

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
