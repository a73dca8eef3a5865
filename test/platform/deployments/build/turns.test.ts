/** Teams that build at the same time share the build slots: none waits for all of another's builds. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuildJob, claimBuilds } from '../../../../src/platform/deployments/queued/claim-build.ts'
import { failBuild } from '../../../../src/platform/deployments/queued/fail.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deployBuild, startBuildNodes } from '../../builds/build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode

beforeAll(async () => {
  // Without a worker, so that only the test claims builds.
  nodes = await startBuildNodes({ SVC_ROLES: 'api,edge', SVC_BUILD_QUEUE: '5' })
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

let laterMs = 0

/** The stores, at a later time on each call, so that no two builds start at once. */
function deps() {
  laterMs += 1
  const nowMs = Date.now() + laterMs
  return {
    store: node.installation.store,
    sitesUrl: node.sitesUrl,
    certifiedUrl: node.certifiedUrl,
    nowMs: () => nowMs,
  }
}

const claim = (limit: number) => claimBuilds(deps(), { worker: 'test', running: [], limit })
const end = (job: BuildJob) => failBuild(deps(), job, { reason: 'build_failed', message: '' })

async function queued(team: TestTeam, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await deployBuild(team, 'true')).id)
  return ids
}

/** The queued builds, in the order of their positions. */
async function positions(teams: TestTeam[]): Promise<string[]> {
  const places = new Map<number, string>()
  for (const team of teams) {
    const { body } = await team.owner('GET', '/v1/deployments?limit=100&state=queued')
    for (const { id, queue_position } of body.data) places.set(queue_position, id)
  }
  return [...places].sort(([a], [b]) => a - b).map(([, id]) => id)
}

it('builds the teams’ deployments in turn, as queue_position says each time', async () => {
  const [a, b, c] = [await newTeam(node), await newTeam(node), await newTeam(node)]
  const ofA = await queued(a, 4)
  const ofB = await queued(b, 2)
  const ofC = await queued(c, 1)
  const expected = [ofA[0], ofB[0], ofC[0], ofA[1], ofB[1], ofA[2], ofA[3]]
  const begun: string[] = []
  for (let left = expected.length; left > 0; left -= 1) {
    const [job] = await claim(1)
    if (!job) throw new Error('Nothing was taken.')
    begun.push(job.id)
    expect(await positions([a, b, c])).toEqual(expected.slice(expected.length - left + 1))
    await end(job)
  }
  expect(begun).toEqual(expected)
})

it('remembers whose turn it was while others had nothing to build', async () => {
  const [seldom, often] = [await newTeam(node), await newTeam(node)]
  for (const team of [seldom, often]) {
    await queued(team, 1)
    for (const job of await claim(1)) await end(job)
  }
  const [older] = await queued(often, 1)
  const [newer] = await queued(seldom, 1)
  for (const expected of [newer, older]) {
    const [job] = await claim(1)
    expect(job?.id).toBe(expected)
    if (job) await end(job)
  }
})

it('gives a free slot to the team with the fewest running builds, however long they take', async () => {
  const [slow, quick] = [await newTeam(node), await newTeam(node)]
  const ofSlow = await queued(slow, 4)
  const held = await claim(3)
  expect(held.map(({ teamId }) => teamId)).toEqual([slow.id, slow.id, slow.id])
  const ofQuick = await queued(quick, 3)
  expect(await positions([slow, quick])).toEqual([...ofQuick, ofSlow.at(-1)])
  const free = held.pop()
  if (!free) throw new Error('Nothing was taken.')
  await end(free)
  // By turns alone, the second would be the slow team's, whose builds would then take all slots again.
  for (let round = 1; round <= 3; round += 1) {
    const [job] = await claim(1)
    expect(job?.teamId).toBe(quick.id)
    if (job) await end(job)
  }
  for (const job of [...held, ...(await claim(1))]) await end(job)
})

it('is shared by workers that claim at once', async () => {
  const teams = [await newTeam(node), await newTeam(node), await newTeam(node)]
  for (const team of teams) await queued(team, 2)
  const taken = (await Promise.all([claim(1), claim(1), claim(1)])).flat()
  expect(new Set(taken.map(({ id }) => id)).size).toBe(3)
  for (const job of [...taken, ...(await claim(10))]) await end(job)
  expect(await positions(teams)).toEqual([])
})

it('409 too_many_queued beyond a team’s limit, also for concurrent calls', async () => {
  const [team, other] = [await newTeam(node), await newTeam(node)]
  await team.owner('PUT', '/v1/projects/web')
  const create = (build: Record<string, unknown>) =>
    team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [{ path: 'page.txt', content: 'hello' }],
      build,
    })
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({ build_command: 'true' })))
  const made = answers.filter(({ status }) => status === 200)
  expect(made.length).toBe(5)
  for (const { status, body } of answers.filter((each) => !made.includes(each))) {
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'too_many_queued' })
    expect(body.message).toMatch(/^5 deployments of the team are queued.*cancel some\.$/)
  }
  expect((await create({ build_command: null })).status).toBe(200)
  const ofOther = await queued(other, 1)
  await team.owner('DELETE', `/v1/deployments/${made[0]?.body.id}`)
  expect((await create({ build_command: 'true' })).status).toBe(200)
  const jobs = await claim(10)
  expect(jobs.map(({ id }) => id)).toContain(ofOther[0])
  for (const job of jobs) await end(job)
})
