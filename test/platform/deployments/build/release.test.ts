/** Release commands are begun once for a deployment, and one at a time for a project. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type BuildJob,
  claimBuilds,
  endLeases,
} from '../../../../src/platform/deployments/queued/claim-build.ts'
import {
  beginRelease,
  endRelease,
  extendRelease,
  releaseLeaseMs,
} from '../../../../src/platform/deployments/queued/release.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deployBuild, startBuildNodes } from '../../builds/build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam
let nowMs = Date.now()

const deps = () => ({
  store: node.installation.store,
  sitesUrl: node.sitesUrl,
  certifiedUrl: node.certifiedUrl,
  nowMs: () => nowMs,
})

beforeAll(async () => {
  // Without a worker, so that only the test claims builds.
  nodes = await startBuildNodes({ SVC_ROLES: 'api,edge' })
  ;({ node } = nodes)
})
beforeEach(async () => {
  team = await newTeam(node)
})
afterAll(() => nodes.stop())

async function claim(project = 'web', worker = 'test'): Promise<BuildJob> {
  await deployBuild(team, 'true', { project })
  return claimNext(worker)
}

async function claimNext(worker: string): Promise<BuildJob> {
  const [job] = await claimBuilds(deps(), { worker, running: [], limit: 1 })
  if (!job) throw new Error('Nothing was taken.')
  return job
}

const begin = (job: BuildJob) => beginRelease(deps(), job, job.projectId)

it('a command whose worker is lost is not begun again', async () => {
  const job = await claim()
  expect(await begin(job)).toBe('begun')
  await endLeases(deps(), job)
  const again = await claimNext('other')
  expect(again.id).toBe(job.id)
  await expect(begin(job)).rejects.toThrow("another worker's")
  expect(await begin(again)).toBe('lost')
})

it('a command that has ended as it should is not begun again either', async () => {
  const job = await claim()
  await begin(job)
  await endRelease(deps(), job.id, true)
  await endLeases(deps(), job)
  expect(await begin(await claimNext('other'))).toBe('ended')
})

it('one that failed is as one that was lost', async () => {
  const job = await claim()
  await begin(job)
  await endRelease(deps(), job.id, false)
  expect(await begin(job)).toBe('lost')
})

it('the next one of the project waits until nothing of the first one runs', async () => {
  const [first, second, other] = [await claim(), await claim(), await claim('other')]
  expect(await begin(first)).toBe('begun')
  expect(await begin(second)).toBe('occupied')
  expect(await begin(other)).toBe('begun')
  // A deployment that is canceled has no builder, and its command may be running for a moment.
  await node.installation.store.db
    .update(deployments)
    .set({ state: 'canceled', worker: null, leaseUntilMs: null })
    .where(eq(deployments.id, first.id))
  expect(await begin(second)).toBe('occupied')
  await endRelease(deps(), first.id, false)
  expect(await begin(second)).toBe('begun')
})

it('one whose worker is lost stands in the way until its lease is over', async () => {
  const [first, second] = [await claim(), await claim()]
  await begin(first)
  nowMs += releaseLeaseMs - 1
  expect(await begin(second)).toBe('occupied')
  await extendRelease(deps(), first.id)
  nowMs += releaseLeaseMs - 1
  expect(await begin(second)).toBe('occupied')
  nowMs += 1
  expect(await begin(second)).toBe('begun')
  await extendRelease(deps(), first.id)
  expect(await begin(first)).toBe('lost')
})
