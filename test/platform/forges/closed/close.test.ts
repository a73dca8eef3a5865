/** A closed pull request takes the address of its branch along, which comes back with the branch. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteClosed } from '../../../../src/platform/forges/closed/delete-due.ts'
import { closedPullRequests } from '../../../../src/stores/db/schema/project-repositories.ts'
import { eventually } from '../../../support/eventually.ts'
import { newHold } from '../../builds/hold.ts'
import { visit } from '../../deployments/steps.ts'
import { type Connected, connect, pullRequestOf, pushOf, send, startForgeNodes, whenDone } from '../steps.ts'

vi.setConfig({ testTimeout: 120_000 })

const dayMs = 24 * 60 * 60 * 1000

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  nodes = await startForgeNodes()
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  site = await connect(nodes.node, nodes.forge)
})

async function push(files: Record<string, string>, branch = 'next') {
  const commit = await nodes.forge.commit(files, branch)
  const { body } = await send(site, 'push', pushOf(nodes.forge, { branch, commit }))
  const delivery = await whenDone(site, body.delivery)
  return { commit, deployment: delivery.deployment ?? '' }
}

let updates = 0

type PullRequest = Partial<Parameters<typeof pullRequestOf>[1]> & { commit: string; base?: string }

/** What came of an event, which is another one each time. */
async function pullRequest({ base = 'main', ...changes }: PullRequest) {
  const payload = pullRequestOf(nodes.forge, changes)
  Object.assign(payload.pull_request, { updates })
  payload.pull_request.base.ref = base
  updates += 1
  return whenDone(site, (await send(site, 'pull_request', payload)).body.delivery)
}

/** What a pull request has deployed of a branch that was never pushed here. */
async function open(files: Record<string, string>, changes: Partial<PullRequest> = {}) {
  const commit = await nodes.forge.commit(files, changes.branch ?? 'next')
  const { deployment } = await pullRequest({ action: 'opened', commit, ...changes })
  return { commit, deployment: deployment ?? '' }
}

const deploymentOf = async (id: string) => (await site.team.owner('GET', `/v1/deployments/${id}`)).body
const branchesOf = async () => {
  const { body } = await site.team.owner('GET', '/v1/projects/web')
  return body.branches.map(({ name }: { name: string }) => name)
}
const count = async () =>
  (await site.team.owner('GET', '/v1/deployments?project=web')).body.data.length as number

const addressIn = ({ aliases }: { aliases: string[] }) =>
  aliases.find((alias) => alias.includes('-git-next')) ?? ''

it('the address goes, the deployment stays, and to open it again brings the address back', async () => {
  const { commit, deployment } = await open({ 'index.html': 'next' })
  const address = addressIn(await deploymentOf(deployment))
  expect((await visit(address)).body).toBe('next')
  expect(await pullRequest({ action: 'closed', commit })).toMatchObject({
    status: 'done',
    pull_request: 7,
    outcome: 'The address of the branch is gone. Its deployments stay.',
  })
  expect((await visit(address)).status).toBe(404)
  expect(await deploymentOf(deployment)).toMatchObject({ state: 'ready' })
  expect(await pullRequest({ action: 'reopened', commit })).toMatchObject({
    status: 'done',
    deployment: null,
    outcome: `${deployment} is of this commit already. The branch has its address again.`,
  })
  expect((await visit(address)).body).toBe('next')
  expect(await count()).toBe(1)
})

it('a later push brings the address back, and what it made is not deleted', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 1 } })
  const { commit, deployment } = await open({ 'index.html': 'old' })
  expect((await pullRequest({ action: 'closed', commit })).outcome).toBe(
    'The address of the branch is gone. Its deployments are deleted after a day.',
  )
  const later = await push({ 'index.html': 'new' })
  const made = await deploymentOf(later.deployment)
  expect((await visit(addressIn(made))).body).toBe('new')
  expect(await deleteAfter(2)).toBe(1)
  expect((await site.team.owner('GET', `/v1/deployments/${deployment}`)).status).toBe(404)
  expect((await visit(addressIn(made))).body).toBe('new')
})

it('a later push is later, too, where the clock of the node that closed it was ahead', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 1 } })
  const { commit } = await open({ 'index.html': 'first' })
  await pullRequest({ action: 'closed', commit })
  const { db } = nodes.node.installation.store
  const aheadMs = Date.now() + nodes.node.clock.aheadMs + 60 * 60_000
  await db
    .update(closedPullRequests)
    .set({ closedMs: aheadMs })
    .where(eq(closedPullRequests.projectId, site.project.id))
  const later = await push({ 'index.html': 'later' })
  expect(await branchesOf()).toEqual(['next'])
  expect(await deleteAfter(2)).toBe(1)
  expect(await deploymentOf(later.deployment)).toMatchObject({ state: 'ready' })
})

/** The number of deployments that are deleted after so many days. */
const deleteAfter = (days: number) =>
  deleteClosed({
    store: nodes.node.installation.store,
    sitesUrl: nodes.node.sitesUrl,
    certifiedUrl: nodes.node.certifiedUrl,
    nowMs: Date.now() + nodes.node.clock.aheadMs + days * dayMs,
  })

it('of one that is open again, or whose commit was pushed again, nothing is deleted', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 0 } })
  const { commit } = await open({ 'index.html': 'next' })
  expect((await pullRequest({ action: 'closed', commit })).outcome).toContain('are deleted soon')
  await pullRequest({ action: 'reopened', commit })
  expect(await deleteAfter(30)).toBe(0)
  await pullRequest({ action: 'closed', commit })
  const again = pushOf(nodes.forge, { branch: 'next', commit, changed: ['again.html'] })
  const { body } = await send(site, 'push', again)
  expect((await whenDone(site, body.delivery)).outcome).toContain('has its address again')
  expect(await deleteAfter(30)).toBe(0)
  expect(await count()).toBe(1)
})

it('that leads from the production branch into another one takes nothing', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 0 } })
  const { commit, deployment } = await push({ 'index.html': 'live' }, 'main')
  const merged = await pullRequest({ action: 'closed', branch: 'main', base: 'release', commit })
  expect(merged.outcome).toBe('Its branch goes to production, and keeps its address and deployments.')
  expect(await branchesOf()).toEqual(['main'])
  expect(await deleteAfter(30)).toBe(0)
  expect(await deploymentOf(deployment)).toMatchObject({ live: true })
})

describe('of a branch that something else deployed, too', () => {
  const kept = 'Not this pull request alone had the branch deployed, which keeps its address.'

  beforeEach(() => site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 0 } }))

  it('takes nothing that a push made, whoever opened it', async () => {
    const { commit, deployment } = await push({ 'index.html': 'staging' })
    await pullRequest({ action: 'opened', commit })
    expect((await pullRequest({ action: 'closed', commit })).outcome).toBe(kept)
    expect(await deleteAfter(30)).toBe(0)
    expect((await visit(addressIn(await deploymentOf(deployment)))).body).toBe('staging')
  })

  it('takes nothing of a commit that was pushed, though the pull request came first', async () => {
    const { commit, deployment } = await open({ 'index.html': 'first' })
    const { body } = await send(site, 'push', pushOf(nodes.forge, { branch: 'next', commit }))
    expect((await whenDone(site, body.delivery)).outcome).toContain(`${deployment} is of this commit already`)
    const later = await push({ 'index.html': 'second' })
    expect((await pullRequest({ action: 'closed', commit: later.commit })).outcome).toBe(kept)
    expect(await deleteAfter(30)).toBe(0)
    expect((await visit(addressIn(await deploymentOf(later.deployment)))).body).toBe('second')
    expect(await count()).toBe(2)
  })

  it('takes what was made for it alone, and no address', async () => {
    await push({ 'index.html': 'pushed' })
    const { deployment } = await open({ 'index.html': 'proposed' })
    const { commit } = await push({ 'index.html': 'merged' })
    expect((await pullRequest({ action: 'closed', commit })).outcome).toBe(
      `${kept} Deployments made for it are deleted soon.`,
    )
    expect(await deleteAfter(0)).toBe(1)
    expect((await site.team.owner('GET', `/v1/deployments/${deployment}`)).status).toBe(404)
    expect(await branchesOf()).toEqual(['next'])
    expect(await count()).toBe(2)
  })

  it('takes nothing of another pull request that came first', async () => {
    const { commit, deployment } = await open({ 'index.html': 'ours' })
    await pullRequest({ action: 'opened', commit, number: 9 })
    expect((await pullRequest({ action: 'closed', commit, number: 9 })).outcome).toBe(kept)
    expect(await deleteAfter(30)).toBe(0)
    expect((await visit(addressIn(await deploymentOf(deployment)))).body).toBe('ours')
    expect((await pullRequest({ action: 'closed', commit })).outcome).toContain(
      'The address of the branch is gone.',
    )
    expect(await branchesOf()).toEqual([])
  })

  it('takes no address of what a member deployed by the name of the branch', async () => {
    const files = [{ path: 'index.html', content: 'by hand' }]
    const made = await site.team.owner('POST', '/v1/deployments', {
      project: 'web',
      target: 'preview',
      files,
      meta: { branch: 'next' },
    })
    expect(made.body).toMatchObject({ state: 'ready', meta: { branch: 'next' } })
    const { commit } = await open({ 'index.html': 'proposed' })
    await pullRequest({ action: 'closed', commit })
    expect(await branchesOf()).toEqual(['next'])
  })
})

it('another pull request of the branch has the address once the first is closed', async () => {
  const first = await open({ 'index.html': 'first' })
  await pullRequest({ action: 'closed', commit: first.commit })
  const { commit } = await open({ 'index.html': 'second' }, { number: 8 })
  expect(await branchesOf()).toEqual(['next'])
  expect((await pullRequest({ action: 'closed', commit, number: 8 })).outcome).toBe(
    'The address of the branch is gone. Its deployments stay.',
  )
  expect(await branchesOf()).toEqual([])
})

it('a branch that is deleted takes its address, and what its pull requests had deployed', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 3 } })
  const pushed = await push({ 'index.html': 'pushed' })
  const { commit, deployment } = await open({ 'index.html': 'proposed' })
  const { body } = await send(site, 'push', pushOf(nodes.forge, { branch: 'next', commit, deleted: true }))
  expect((await whenDone(site, body.delivery)).outcome).toBe(
    'The address of the branch is gone. Deployments made for its pull requests are deleted after 3 days.',
  )
  expect(await branchesOf()).toEqual([])
  expect(await deleteAfter(4)).toBeGreaterThan(0)
  expect((await site.team.owner('GET', `/v1/deployments/${deployment}`)).status).toBe(404)
  expect(await deploymentOf(pushed.deployment)).toMatchObject({ state: 'ready' })
})

describe('of the events of one commit, in the order', () => {
  const steps = {
    pushed: async (commit: string) => {
      const { body } = await send(site, 'push', pushOf(nodes.forge, { branch: 'next', commit }))
      await whenDone(site, body.delivery)
    },
    opened: (commit: string) => pullRequest({ action: 'opened', commit }),
    closed: (commit: string) => pullRequest({ action: 'closed', commit }),
    deleted: async (commit: string) => {
      const payload = pushOf(nodes.forge, { branch: 'next', commit, deleted: true })
      const { body } = await send(site, 'push', payload)
      await whenDone(site, body.delivery)
    },
  }

  it.each<[order: (keyof typeof steps)[], hasAddress: boolean, stays: boolean]>([
    // As a branch is pushed for which a pull request is opened then: what a push made stays.
    [['pushed', 'opened', 'closed'], true, true],
    [['pushed', 'opened', 'closed', 'deleted'], false, true],
    [['pushed', 'opened', 'deleted', 'closed'], false, true],
    // As the events of one push may arrive.
    [['opened', 'pushed', 'closed', 'deleted'], false, true],
    // As where the hook sends pull requests alone, or both of them.
    [['opened', 'closed'], false, false],
    [['opened', 'closed', 'deleted'], false, false],
    [['opened', 'deleted', 'closed'], false, false],
  ])('%j the branch has its address: %s, and the deployment stays: %s', async (order, hasAddress, stays) => {
    await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 1 } })
    const commit = await nodes.forge.commit({ 'index.html': order.join(' ') }, 'next')
    for (const step of order) await steps[step](commit)
    expect(await branchesOf()).toEqual(hasAddress ? ['next'] : [])
    expect(await count()).toBe(1)
    expect(await deleteAfter(2)).toBe(stays ? 0 : 1)
    expect(await count()).toBe(stays ? 1 : 0)
  })
})

it('of a fork takes nothing, whatever its branch is called', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 0 } })
  const { commit } = await push({ 'index.html': 'next' })
  await pullRequest({ action: 'closed', commit, fork: true })
  expect(await branchesOf()).toEqual(['next'])
  expect(await deleteAfter(30)).toBe(0)
})

it('a build that ends after it was closed gets no address', async () => {
  const hold = newHold()
  const build = { build_command: `${hold.command}; mkdir -p dist; cp index.html dist` }
  const { commit, deployment } = await open({
    'index.html': 'built',
    'svc.json': JSON.stringify({ build }),
  })
  await pullRequest({ action: 'closed', commit })
  await hold.release()
  await eventually(async () => expect((await deploymentOf(deployment)).state).toBe('ready'), {
    limitMs: 60_000,
  })
  expect(await branchesOf()).toEqual([])
  await pullRequest({ action: 'reopened', commit })
  expect(await branchesOf()).toEqual(['next'])
})

it('a build of a push that ends after it was closed gets the address', async () => {
  const hold = newHold()
  const build = { build_command: `${hold.command}; mkdir -p dist; cp index.html dist` }
  const files = { 'index.html': 'built', 'svc.json': JSON.stringify({ build }) }
  const { commit, deployment } = await push(files)
  await pullRequest({ action: 'opened', commit })
  await pullRequest({ action: 'closed', commit })
  await hold.release()
  await eventually(async () => expect((await deploymentOf(deployment)).state).toBe('ready'), {
    limitMs: 60_000,
  })
  expect(await branchesOf()).toEqual(['next'])
})
