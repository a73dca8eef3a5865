/** Every build, and every wait for one, has a time limit. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectBlobs, collectManifests } from '../../../../src/platform/deployments/garbage/unreferenced.ts'
import { claimBuilds, extendBuilds } from '../../../../src/platform/deployments/queued/claim-build.ts'
import { completeBuild } from '../../../../src/platform/deployments/queued/complete.ts'
import { failBuild } from '../../../../src/platform/deployments/queued/fail.ts'
import { failOverdueBuilds } from '../../../../src/platform/deployments/queued/fail-overdue.ts'
import { findBlobs } from '../../../../src/stores/blobs/rows.ts'
import { manifests } from '../../../../src/stores/db/schema/manifests.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, startBuildNodes, whenEnded } from '../build-node.ts'

const secondMs = 1_000

describe('a build that takes too long', { timeout: testTimeout }, () => {
  let nodes: Awaited<ReturnType<typeof startBuildNodes>>
  beforeAll(async () => {
    nodes = await startBuildNodes({ SVC_BUILD_TIMEOUT_S: '1' })
  })
  afterAll(() => nodes.stop())

  it('is ended with build_timeout', async () => {
    const team = await newTeam(nodes.node)
    const { id } = await deployBuild(team, 'sleep 1000')
    expect(await whenEnded(team, id)).toMatchObject({
      state: 'error',
      error: { reason: 'build_timeout', message: 'The build took longer than 1 s.' },
    })
  })
})

describe('when no worker is alive', { timeout: testTimeout }, () => {
  let nodes: Awaited<ReturnType<typeof startBuildNodes>>
  let node: TestNode
  let team: TestTeam
  beforeAll(async () => {
    nodes = await startBuildNodes({ SVC_ROLES: 'api,edge' })
    ;({ node } = nodes)
    team = await newTeam(node)
  })
  afterAll(() => nodes.stop())

  const limits = { queueTimeoutMs: 3_600 * secondMs, buildTimeoutMs: 600 * secondMs }

  /** The stores at another time. */
  function at(aheadMs: number) {
    const { store } = node.installation
    return {
      store,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      nowMs: () => Date.now() + aheadMs,
      limits,
    }
  }

  const get = async (id: string) => (await team.owner('GET', `/v1/deployments/${id}`)).body
  const take = (worker: string, aheadMs: number) =>
    claimBuilds(at(aheadMs), { worker, running: [], limit: 1 })

  it('a deployment waits until its time limit, and ends with queue_timeout', async () => {
    const { id } = await deployBuild(team, 'true')
    await failOverdueBuilds(at(limits.queueTimeoutMs - 60 * secondMs))
    expect((await get(id)).state).toBe('queued')
    await failOverdueBuilds(at(limits.queueTimeoutMs + secondMs))
    expect(await get(id)).toMatchObject({
      state: 'error',
      error: { reason: 'queue_timeout', message: expect.stringContaining('within 3600 s') },
      queue_position: null,
    })
  })

  it('its sources are kept for as long as it is, also canceled, and collected afterwards', async () => {
    const { id } = await deployBuild(team, 'true', {
      files: [{ path: 'only.txt', content: `only of ${team.id}` }],
    })
    const { store, blobs } = node.installation
    const dayMs = 24 * 3_600 * secondMs
    const collect = async () => {
      const deps = { db: store.db, blobs }
      while (await collectManifests({ ...deps, nowMs: Date.now() + dayMs }));
      while (await collectBlobs({ ...deps, nowMs: Date.now() + 2 * dayMs }));
    }
    const sha256 = hash('sha256', `only of ${team.id}`)
    const kept = async () => (await findBlobs(store.db, team.id, [sha256], Date.now())).length
    await collect()
    expect(await kept()).toBe(1)
    await team.owner('DELETE', `/v1/deployments/${id}`)
    expect((await get(id)).state).toBe('canceled')
    await collect()
    expect(await kept()).toBe(1)
    await team.owner('DELETE', '/v1/projects/web')
    await collect()
    expect(await kept()).toBe(0)
  })

  it('a build whose worker died is retried once, and then ends with worker_lost', async () => {
    const { id } = await deployBuild(team, 'true')
    expect(await take('first', 0)).toMatchObject([{ id, attempts: 1 }])
    expect(await take('second', 10 * secondMs)).toEqual([])
    await failOverdueBuilds(at(30 * secondMs))
    expect((await get(id)).state).toBe('building')
    expect(await take('second', 30 * secondMs)).toMatchObject([{ id, attempts: 2, worker: 'second' }])
    await failOverdueBuilds(at(40 * secondMs))
    expect((await get(id)).state).toBe('building')
    expect(await take('third', 60 * secondMs)).toEqual([])
    await failOverdueBuilds(at(60 * secondMs))
    expect(await get(id)).toMatchObject({ state: 'error', error: { reason: 'worker_lost' } })
  })

  it('a build whose lease is of a clock that was set back goes to another worker', async () => {
    const { id } = await deployBuild(team, 'true')
    await take('first', 0)
    await extendBuilds(at(8 * 3_600 * secondMs), 'first', [id])
    expect(await take('second', 0)).toMatchObject([{ id, attempts: 2 }])
  })

  it('a build that no other worker takes ends with worker_lost in the end', async () => {
    const { id } = await deployBuild(team, 'true')
    await take('only', 0)
    await failOverdueBuilds(at(limits.queueTimeoutMs + 60 * secondMs))
    expect(await get(id)).toMatchObject({ state: 'error', error: { reason: 'worker_lost' } })
  })

  it('a build whose worker hangs ends with build_timeout', async () => {
    const { id } = await deployBuild(team, 'true')
    await take('hanging', 0)
    const failOverdueAt = async (aheadMs: number) => {
      await extendBuilds(at(aheadMs), 'hanging', [id])
      await failOverdueBuilds(at(aheadMs))
    }
    await failOverdueAt(limits.buildTimeoutMs + 30 * secondMs)
    expect((await get(id)).state).toBe('building')
    await failOverdueAt(limits.buildTimeoutMs + 90 * secondMs)
    expect(await get(id)).toMatchObject({ state: 'error', error: { reason: 'build_timeout' } })
  })

  it('a worker whose lease expired changes nothing, whatever its build’s result', async () => {
    const { id } = await deployBuild(team, 'true', { target: 'production' })
    const [late] = await take('late', 0)
    const [second] = await take('second', 30 * secondMs)
    if (!late || !second) throw new Error('Nothing was taken.')
    const count = async () => (await node.installation.store.db.select().from(manifests)).length
    const before = await count()
    const site = { entries: [], bytes: 0, rules: null, warnings: [] }
    expect(await completeBuild(at(30 * secondMs), late, site)).toBe(false)
    expect(await failBuild(at(30 * secondMs), late, { reason: 'build_failed', message: '' })).toBe(false)
    expect(await get(id)).toMatchObject({ state: 'building', live: false, error: null })
    expect(await count()).toBe(before)
    expect(await completeBuild(at(30 * secondMs), second, site)).toBe(true)
    expect(await get(id)).toMatchObject({ state: 'ready', live: true })
    expect(await completeBuild(at(30 * secondMs), second, site)).toBe(false)
  })

  it('two workers that poll at once share a team’s queued builds, the oldest first', async () => {
    const made = [
      await deployBuild(team, 'true'),
      await deployBuild(team, 'true'),
      await deployBuild(team, 'true'),
    ]
    const [a, b] = await Promise.all([take('a', 0), take('b', 0)])
    const ids = [...a, ...b].map(({ id }) => id)
    expect(ids.toSorted()).toEqual(
      made
        .slice(0, 2)
        .map(({ id }) => id)
        .toSorted(),
    )
  })
})
