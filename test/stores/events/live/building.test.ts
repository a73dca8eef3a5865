/** The beginning of a build, which has no row in the event log. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimBuilds } from '../../../../src/platform/deployments/queued/claim-build.ts'
import { failBuild } from '../../../../src/platform/deployments/queued/fail.ts'
import { deployBuild, startBuildNodes } from '../../../platform/builds/build-node.ts'
import { openEvents } from '../../../support/event-stream.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode

beforeAll(async () => {
  // Without a worker, so that only the test claims builds.
  nodes = await startBuildNodes({ SVC_ROLES: 'api,edge' })
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

it('is in the stream between the others of the deployment', async () => {
  const team = await newTeam(node)
  const stream = await openEvents(node, { authorization: `Bearer ${team.ownerKey}` })
  await expect.poll(stream.types).toEqual(['connected'])
  const { id } = await deployBuild(team, 'true')
  const deps = {
    store: node.installation.store,
    sitesUrl: node.sitesUrl,
    certifiedUrl: node.certifiedUrl,
    nowMs: Date.now,
  }
  const [job] = await claimBuilds(deps, { worker: 'test', running: [], limit: 1 })
  if (!job) throw new Error('Nothing was taken.')
  const begun = ['connected', 'project.created', 'deployment.created', 'deployment.building']
  await expect.poll(stream.types, { timeout: 5_000 }).toEqual(begun)
  expect(stream.received.at(-1)?.message).toMatchObject({ project: job.projectId, deployment: id })
  await failBuild(deps, job, { reason: 'build_failed', message: '' })
  await expect.poll(stream.types, { timeout: 5_000 }).toEqual([...begun, 'deployment.error'])
})
