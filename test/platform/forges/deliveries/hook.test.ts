/** A deploy hook of a project with a repository has the branch fetched, and deployed again. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { deployHooks } from '../../../../src/stores/db/schema/deploy-hooks.ts'
import { eventually, until } from '../../../support/eventually.ts'
import { visit } from '../../deployments/steps.ts'
import { clientOf, newHook, send } from '../../hooks/steps.ts'
import { type Connected, connect, deliveriesOf, startForgeNodes, whenDone } from '../steps.ts'

vi.setConfig({ testTimeout: 120_000 })

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  nodes = await startForgeNodes()
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  nodes.forge.switches = {}
  site = await connect(nodes.node, nodes.forge)
})

const hookOf = (input: Parameters<typeof newHook>[1] = {}) =>
  newHook({ client: clientOf(site.node, site.team.ownerKey) }, input)

const deploymentOf = async (id: string | null) => (await site.team.owner('GET', `/v1/deployments/${id}`)).body

/** What became of a request to the hook. */
async function ran(url: string) {
  const answer = await send(url)
  expect(answer).toMatchObject({ status: 202, body: { status: 'pending', reason: null } })
  return whenDone(site, answer.body.delivery)
}

/** Waits until the newest delivery is to be tried again. */
const postponed = () =>
  eventually(async () => expect((await deliveriesOf(site))[0]?.outcome).toContain('tried again'), {
    limitMs: 60_000,
  })

it('without a branch the newest commit of the production branch goes live', async () => {
  await nodes.forge.commit({ 'index.html': 'older' })
  const commit = await nodes.forge.commit({ 'index.html': 'newest' })
  const { url } = await hookOf({ name: 'Articles' })
  const delivery = await ran(url)
  expect(delivery).toMatchObject({ event: 'deploy hook', status: 'done', branch: 'main', commit })
  const made = await deploymentOf(delivery.deployment)
  expect(made).toMatchObject({
    live: true,
    source: { kind: 'hook', name: 'Articles' },
    created_by: site.team.ownerId,
    meta: { branch: 'main', commit, repository: nodes.forge.url.replace(/\.git$/, '') },
  })
  expect((await visit(made.aliases[0])).body).toBe('newest')
})

it('a commit that is deployed already is built again, since what it fetches has changed', async () => {
  const commit = await nodes.forge.commit({ 'index.html': 'same' }, 'next')
  const { url } = await hookOf({ branch: 'next' })
  const [first, second] = [await ran(url), await ran(url)]
  expect(second).toMatchObject({
    status: 'done',
    commit,
    outcome: 'Deployed as a preview: main is the production branch.',
  })
  expect(second.deployment).not.toBe(first.deployment)
  expect(await deploymentOf(second.deployment)).toMatchObject({ target: 'preview', meta: { commit } })
})

it('requests while one waits get that one, and count once', async () => {
  let goOn = () => {}
  let isReached = false
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  nodes.forge.switches.before = () => {
    isReached = true
    return mayGoOn
  }
  await nodes.forge.commit({ 'index.html': 'burst' })
  const { url, id } = await hookOf()
  const { body: running } = await send(url)
  await until(() => isReached)
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(url)))
  goOn()
  const waiting = new Set(answers.map(({ body }) => body.delivery))
  expect([waiting.size, waiting.has(running.delivery)]).toEqual([1, false])
  for (const delivery of [running.delivery, ...waiting])
    expect(await whenDone(site, delivery)).toMatchObject({ status: 'done', outcome: 'Deployed.' })
  const { db } = nodes.node.installation.store
  const [row] = await db.select().from(deployHooks).where(eq(deployHooks.id, id))
  expect(row?.usesMs).toHaveLength(2)
})

it('ten an hour are taken', async () => {
  const { url, id } = await hookOf()
  const { db } = nodes.node.installation.store
  const nowMs = Date.now() + nodes.node.clock.aheadMs
  await db
    .update(deployHooks)
    .set({ usesMs: Array(10).fill(nowMs - 60_000) })
    .where(eq(deployHooks.id, id))
  expect(await send(url)).toMatchObject({ status: 429, body: { reason: 'rate_limited' } })
  expect(await deliveriesOf(site)).toEqual([])
})

it('a branch that is gone is said to be, also one that no repository can have', async () => {
  for (const branch of ['gone', '../../x', '*'])
    expect(await ran((await hookOf({ branch })).url)).toMatchObject({
      status: 'failed',
      branch,
      deployment: null,
      outcome: 'The repository has no such branch any more.',
    })
  const { body } = await site.team.owner('GET', '/v1/logs?kind=git&level=error')
  expect(body.data.at(-1).message).toBe(
    'deploy hook, branch gone: The repository has no such branch any more.',
  )
})

it('a forge that is away is tried again, and has what the branch is at by then', async () => {
  nodes.forge.switches.status = 503
  await nodes.forge.commit({ 'index.html': 'before' }, 'later')
  const { url } = await hookOf({ branch: 'later' })
  const { body } = await send(url)
  await postponed()
  const commit = await nodes.forge.commit({ 'index.html': 'after' }, 'later')
  nodes.forge.switches = {}
  nodes.node.clock.aheadMs += 11_000
  expect(await whenDone(site, body.delivery)).toMatchObject({ status: 'done', commit, attempts: 2 })
})

it('a hook that was revoked meanwhile deploys nothing', async () => {
  nodes.forge.switches.status = 503
  const { url, id } = await hookOf()
  const { body } = await send(url)
  await postponed()
  await clientOf(site.node, site.team.ownerKey).hooks.revoke.mutate({ project: 'web', id })
  nodes.forge.switches = {}
  nodes.node.clock.aheadMs += 11_000
  const done = await whenDone(site, body.delivery)
  expect(done).toMatchObject({ status: 'failed', deployment: null })
  expect(done.outcome).toContain('was revoked')
  expect((await send(url)).status).toBe(404)
})
