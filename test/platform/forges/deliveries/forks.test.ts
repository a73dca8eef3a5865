/** Pull requests of forks: an owner approves one commit at a time, which becomes an untrusted preview. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { moveAddress } from '../../../../src/platform/deployments/pull-request-address.ts'
import { deleteClosed } from '../../../../src/platform/forges/closed/delete-due.ts'
import { nameHistories } from '../../../../src/stores/db/schema/name-histories.ts'
import { closedPullRequests } from '../../../../src/stores/db/schema/project-repositories.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { members } from '../../../../src/stores/db/schema/teams.ts'
import { eventually } from '../../../support/eventually.ts'
import { addMember, newTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import {
  approve,
  type Connected,
  commitOfFork,
  connect,
  deliveriesOf,
  pushOf,
  send,
  sendFork,
  startForgeNodes,
  whenDone,
} from '../steps.ts'

vi.setConfig({ testTimeout: 120_000 })

const token = 'ghp_of_the_project'

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  nodes = await startForgeNodes()
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  nodes.forge.switches = {}
  site = await connect(nodes.node, nodes.forge, { forks: 'approve' })
  nodes.forge.requests.length = 0
})

/** A pull request whose head waits for an approval. */
async function opened(text: string, number = 7) {
  const commit = await commitOfFork(nodes.forge, { 'index.html': text }, number)
  const { delivery, status } = await sendFork(site, { commit, number })
  expect(status).toBe('waiting')
  return { commit, delivery: delivery as string }
}

/** An approved one, once it has ended. */
async function deployed(text: string, number = 7) {
  const waiting = await opened(text, number)
  expect(await approve(site, waiting)).toMatchObject({ status: 200, body: { status: 'pending' } })
  const { deployment, outcome } = await whenDone(site, waiting.delivery)
  expect(outcome).toBe('Deployed.')
  return { ...waiting, made: await deploymentOf(deployment) }
}

const deploymentOf = async (id: string | null) => (await site.team.owner('GET', `/v1/deployments/${id}`)).body
const allDeployments = async () => (await site.team.owner('GET', '/v1/deployments?project=web')).body.data
const projectOf = async () => (await site.team.owner('GET', '/v1/projects/web')).body
const deliveryOf = async (id: string) => (await deliveriesOf(site)).find((each) => each.id === id)
const addressOf = (made: { aliases: string[] }, number = 7) =>
  made.aliases.find((alias) => new RegExp(`//web-pr-${number}[.-]`).test(alias)) ?? 'none'
const outcomeOnceTried = (id: string) =>
  eventually(async () => expect((await deliveryOf(id))?.outcome).toContain('It is tried again.'), {
    limitMs: 60_000,
  })
/** By a key of the owner's: the address is protected. */
const see = (url: string) => visit(url, '/', { authorization: `Bearer ${site.team.ownerKey}` })

describe('a pull request of a fork', () => {
  it('waits, and nothing is fetched before an owner has approved it', async () => {
    const { commit, delivery } = await opened('evil')
    expect(await deliveryOf(delivery)).toMatchObject({
      status: 'waiting',
      branch: null,
      commit,
      pull_request: 7,
      approved_by: null,
      outcome: 'It waits for the approval of an owner.',
      ended_ms: null,
    })
    nodes.node.clock.aheadMs += 60_000
    const { delivery: push } = (await send(site, 'push', pushOf(nodes.forge, { commit: 'f'.repeat(40) })))
      .body
    await whenDone(site, push)
    expect(await allDeployments()).toEqual([])
    expect((await deliveryOf(delivery))?.status).toBe('waiting')
  })

  it('from a branch called main becomes an untrusted preview, by who approved it', async () => {
    await site.team.owner('PUT', '/v1/projects/web', { protection: 'none', auto_promote: true })
    const owner = await addMember(nodes.node, site.team, 'owner')
    const svc = JSON.stringify({ protection: 'none', auto_promote: true, branch_addresses: true })
    const files = { 'index.html': 'evil', 'svc.json': svc, _redirects: '/* /index.html 200' }
    const commit = await commitOfFork(nodes.forge, files)
    const { delivery } = await sendFork(site, { commit })
    expect(await approve(site, { delivery, commit }, owner.api)).toMatchObject({
      status: 200,
      body: { approved_by: owner.userId, outcome: null },
    })
    const { deployment } = await whenDone(site, delivery)
    const made = await deploymentOf(deployment)
    expect(made).toMatchObject({
      target: 'preview',
      live: false,
      untrusted: true,
      created_by: owner.userId,
      source: { kind: 'forge', name: 'GitHub' },
    })
    expect(made.meta).toEqual({
      commit,
      message: 'Change',
      author: 'Ada',
      repository: nodes.forge.url.replace(/\.git$/, ''),
      pull_request: '7',
    })
    expect(made.aliases).toEqual([addressOf(made)])
    for (const url of [made.url, addressOf(made)]) {
      for (const path of ['/', '/index.html', '/x'])
        expect((await visit(url, path)).status, `${url}${path}`).toBe(401)
      expect(await see(url)).toMatchObject({ status: 200, body: 'evil' })
    }
    const place = { project: 'web', host: new URL(made.url).host }
    const { body: link } = await site.team.owner('POST', '/trpc/links.create', place)
    expect(link.result.data).toMatchObject({ project: 'web', open: false })
    expect(await projectOf()).toMatchObject({ production_deployment: null, branches: [] })
    expect((await site.team.owner('GET', '/v1/deployments?project=web&branch=main')).body.data).toEqual([])
    const { body } = await site.team.owner('GET', '/v1/logs?kind=audit')
    expect(body.data.map(({ message }: { message: string }) => message).join()).toContain(
      `approved commit ${commit.slice(0, 10)} of pull request 7`,
    )
    await commitOfFork(nodes.forge, {})
  })

  it('is fetched from the project’s own repository, and from nowhere else', async () => {
    await site.team.owner('PUT', '/v1/projects/web', { git: { token } })
    nodes.forge.switches.credentials = `x-access-token:${token}`
    await deployed('from the pull request')
    const paths = nodes.forge.requests.map(({ path }) => path)
    expect(paths.filter((path) => path.startsWith('/team/site.git/git-upload-pack'))).not.toEqual([])
    // Reports go to the API of the same forge.
    const ours = /^\/(?:team\/site\.git\/|api\/v3\/(?:repos\/team\/site\/|user$))/
    expect(paths.filter((path) => !ours.test(path))).toEqual([])
  })

  it('leaves no names with a hash behind, by which the caching of others would end', async () => {
    const names = () =>
      nodes.node.installation.store.db
        .select()
        .from(nameHistories)
        .where(eq(nameHistories.projectId, site.project.id))
    const files = { 'assets/index-DiwrgTda.js': 'evil', 'index.html': 'evil' }
    const commit = await commitOfFork(nodes.forge, files)
    const { delivery } = await sendFork(site, { commit })
    await approve(site, { delivery, commit })
    expect(await whenDone(site, delivery)).toMatchObject({ outcome: 'Deployed.' })
    expect(await names()).toEqual([])
    const good = await nodes.forge.commit({ ...files, 'index.html': 'good' })
    const push = (await send(site, 'push', pushOf(nodes.forge, { commit: good }))).body.delivery
    expect(await whenDone(site, push)).toMatchObject({ outcome: 'Deployed.' })
    expect(await names()).toHaveLength(1)
    await nodes.forge.tree.commit({ 'assets/index-DiwrgTda.js': undefined })
  })

  it('is never promoted, nor deployed again, nor the newest of its project', async () => {
    const commit = await nodes.forge.commit({ 'index.html': 'good' })
    const push = await send(site, 'push', pushOf(nodes.forge, { commit }))
    const live = await whenDone(site, push.body.delivery)
    const { made } = await deployed('evil')
    const refused = { status: 409, body: { reason: 'untrusted' } }
    const from = { project: 'web', from: made.id }
    expect(await site.team.owner('POST', `/v1/deployments/${made.id}/promote`)).toMatchObject(refused)
    expect(await site.team.owner('POST', '/v1/deployments', from)).toMatchObject(refused)
    expect(await site.team.owner('POST', '/v1/deployments', { ...from, target: 'production' })).toMatchObject(
      refused,
    )
    const { body: hook } = await site.team.owner('POST', '/trpc/hooks.create', {
      project: 'web',
      name: 'cms',
    })
    // A connected project has its branch fetched instead.
    await site.team.owner('PUT', '/v1/projects/web', { git: { url: null } })
    const again = await fetch(hook.result.data.url, { method: 'POST' })
    expect(await again.json()).toMatchObject({ deployment: expect.any(String) })
    const rebuilt = (await allDeployments()).find((each: { id: string }) => each.id > made.id)
    expect(rebuilt).toMatchObject({ redeploy_of: live.deployment, untrusted: false })
    const { body } = await site.team.owner('GET', '/trpc/projects.summaries?input=%7B%7D')
    expect(body.result.data.data[0].latest.id).toBe(rebuilt.id)
    expect((await projectOf()).production_deployment).toBe(rebuilt.id)
  })

  it('from a branch called main neither holds up a push to main nor takes its place', async () => {
    nodes.forge.switches.status = 503
    const commit = await nodes.forge.commit({ 'index.html': 'good' })
    const push = (await send(site, 'push', pushOf(nodes.forge, { commit }))).body.delivery
    await outcomeOnceTried(push)
    const fork = await opened('evil')
    await approve(site, fork)
    await outcomeOnceTried(fork.delivery)
    expect(await deliveryOf(push)).toMatchObject({ status: 'pending' })
    nodes.forge.switches = {}
    nodes.node.clock.aheadMs += 11_000
    const live = await whenDone(site, push)
    await whenDone(site, fork.delivery)
    expect(live).toMatchObject({ outcome: 'Deployed.' })
    expect((await projectOf()).production_deployment).toBe(live.deployment)
  })

  it('moves its address forward alone, and takes it along when it is closed', async () => {
    const first = await deployed('first')
    const address = addressOf(first.made)
    const { commit, made } = await deployed('second')
    expect(addressOf(made)).toBe(address)
    expect(await see(address)).toMatchObject({ body: 'second' })
    const { store } = nodes.node.installation
    const [older] = await store.db.select().from(deployments).where(eq(deployments.id, first.made.id))
    if (!older) throw new Error('There is no such row.')
    expect(await store.transact((tx) => moveAddress(tx, older, Date.now()))).toBe(undefined)
    expect(await see(address)).toMatchObject({ body: 'second' })
    const { delivery } = await sendFork(site, { action: 'closed', commit })
    await whenDone(site, delivery)
    expect((await see(address)).status).toBe(404)
    expect(await see(made.url)).toMatchObject({ body: 'second' })
    const { aliases } = (await deployed('reopened')).made
    expect(aliases).toEqual([address])
  })
})

describe('a closed pull request of a fork', () => {
  const close = async (commit: string, number = 7) => {
    const { delivery } = await sendFork(site, { action: 'closed', commit, number })
    return (await whenDone(site, delivery)).outcome
  }
  const deleteAfter = (days: number) =>
    deleteClosed({
      store: nodes.node.installation.store,
      sitesUrl: nodes.node.sitesUrl,
      certifiedUrl: nodes.node.certifiedUrl,
      nowMs: Date.now() + nodes.node.clock.aheadMs + days * 24 * 60 * 60 * 1000,
    })
  const left = async () => (await allDeployments()).map(({ id }: { id: string }) => id)

  beforeEach(async () => {
    await site.team.owner('PUT', '/v1/projects/web', { git: { close_days: 2 } })
  })

  it('has its deployments deleted after the days of the project, and no others', async () => {
    const first = await deployed('first')
    const { commit } = await deployed('second')
    const other = await deployed('other', 8)
    expect(await close(commit)).toBe(
      'The address of the pull request is gone. Its deployments are deleted after 2 days.',
    )
    expect(await deleteAfter(1)).toBe(0)
    expect(await deleteAfter(3)).toBe(2)
    expect(await left()).toEqual([other.made.id])
    expect((await see(first.made.url)).status).toBe(404)
  })

  it('keeps them when it is opened again, though nobody approves', async () => {
    const { commit, made } = await deployed('kept')
    await close(commit)
    await opened('more')
    expect(await deleteAfter(300)).toBe(0)
    expect(await left()).toEqual([made.id])
  })

  it('takes no room of others where nothing of it was deployed', async () => {
    const { commit } = await opened('evil', 9)
    expect(await close(commit, 9)).toBe('Nothing of the pull request was deployed.')
    const { db } = nodes.node.installation.store
    const ofProject = eq(closedPullRequests.projectId, site.project.id)
    expect(await db.select().from(closedPullRequests).where(ofProject)).toEqual([])
  })

  it('takes nothing of a branch that a pull request of the same number names in its meta', async () => {
    const { commit } = await deployed('fork')
    const { body } = await site.team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [{ path: 'index.html', content: 'own' }],
      meta: { pull_request: '7', branch: 'next' },
    })
    await close(commit)
    expect(await deleteAfter(3)).toBe(1)
    expect(await left()).toEqual([body.id])
  })
})

describe('an approval', () => {
  it('is for the head that was seen, and no other', async () => {
    const old = await opened('harmless')
    const newer = await opened('evil')
    const refused = { status: 409, body: { reason: 'changed_since' } }
    expect(await approve(site, { ...newer, commit: old.commit })).toMatchObject(refused)
    expect(await approve(site, { ...old, commit: newer.commit })).toMatchObject(refused)
    expect(await approve(site, old)).toMatchObject(refused)
    expect(await deliveryOf(old.delivery)).toMatchObject({
      status: 'done',
      outcome: 'The pull request has a newer head.',
    })
    expect(await allDeployments()).toEqual([])
    expect(await approve(site, newer)).toMatchObject({ status: 200 })
    const { deployment } = await whenDone(site, newer.delivery)
    expect((await deploymentOf(deployment)).meta.commit).toBe(newer.commit)
    const next = await opened('more evil')
    expect(await deliveryOf(next.delivery)).toMatchObject({ status: 'waiting' })
  })

  it('is an owner’s: 403 for a member, 404 for another team and another project', async () => {
    const waiting = await opened('evil')
    const member = await addMember(nodes.node, site.team)
    expect(await approve(site, waiting, member.api)).toMatchObject({
      status: 403,
      body: { reason: 'role_required' },
    })
    const stranger = await newTeam(nodes.node)
    expect(await approve(site, waiting, stranger.owner)).toMatchObject({
      status: 404,
      body: { reason: 'project_not_found' },
    })
    const other = await connect(nodes.node, nodes.forge, { forks: 'approve' })
    expect(await approve(other, waiting)).toMatchObject({
      status: 404,
      body: { reason: 'delivery_not_found' },
    })
    expect((await deliveryOf(waiting.delivery))?.status).toBe('waiting')
  })

  it('that comes twice deploys once', async () => {
    const waiting = await opened('twice')
    const both = await Promise.all([approve(site, waiting), approve(site, waiting)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const done = await whenDone(site, waiting.delivery)
    expect(await approve(site, waiting)).toMatchObject({ status: 200, body: { deployment: done.deployment } })
    expect(await allDeployments()).toHaveLength(1)
  })

  it('does nothing to what waits for none', async () => {
    const commit = await nodes.forge.commit({ 'index.html': 'good' })
    const { delivery } = (await send(site, 'push', pushOf(nodes.forge, { commit }))).body
    expect(await approve(site, { delivery, commit })).toMatchObject({ status: 409 })
    await whenDone(site, delivery)
  })

  it('counts no more once who gave it is no owner', async () => {
    const owner = await addMember(nodes.node, site.team, 'owner')
    nodes.forge.switches.status = 503
    const waiting = await opened('evil')
    await approve(site, waiting, owner.api)
    await outcomeOnceTried(waiting.delivery)
    const isTheirs = and(eq(members.teamId, site.team.id), eq(members.userId, owner.userId))
    await nodes.node.installation.store.db.update(members).set({ role: 'member' }).where(isTheirs)
    nodes.forge.switches = {}
    nodes.node.clock.aheadMs += 11_000
    expect(await whenDone(site, waiting.delivery)).toMatchObject({
      status: 'failed',
      deployment: null,
      outcome: 'Who approved it is no owner of the team any more.',
    })
  })
})

describe('what waits', () => {
  it('is over when the pull request is closed, approved or not', async () => {
    nodes.forge.switches.status = 503
    const waiting = await opened('one')
    const approved = await opened('two', 8)
    await approve(site, approved)
    for (const [number, { commit }] of [waiting, approved].entries())
      await sendFork(site, { action: 'closed', commit, number: 7 + number })
    for (const { delivery } of [waiting, approved])
      expect(await deliveryOf(delivery)).toMatchObject({
        status: 'done',
        outcome: 'The pull request was closed.',
      })
    expect(await approve(site, waiting)).toMatchObject({ status: 409 })
    nodes.forge.switches = {}
    nodes.node.clock.aheadMs += 11_000
    await eventually(async () =>
      expect((await deliveriesOf(site)).filter(({ status }) => status === 'pending')).toEqual([]),
    )
    expect(await allDeployments()).toEqual([])
  })

  it.each([
    ['forks are refused', { forks: false }],
    ['the setting is reset', { forks: null }],
    ['the repository is another one', { url: 'https://github.com/acme/other', forks: 'approve' }],
    ['the repository is disconnected', { url: null }],
  ] as const)('is refused when %s, approved or not', async (_when, git) => {
    nodes.forge.switches.status = 503
    const waiting = await opened('one')
    const approved = await opened('two', 8)
    await approve(site, approved)
    await site.team.owner('PUT', '/v1/projects/web', { git })
    for (const { delivery } of [waiting, approved])
      expect((await deliveryOf(delivery))?.outcome).toContain('Refused')
    expect(await approve(site, waiting)).toMatchObject({ status: 409 })
  })

  it('are the latest 50 of a project', { tags: 'long' }, async () => {
    const ids: string[] = []
    for (let number = 1; number <= 51; number += 1)
      ids.push((await sendFork(site, { commit: 'c'.repeat(40), number })).delivery)
    const waiting = (await deliveriesOf(site)).filter(({ status }) => status === 'waiting')
    expect(waiting.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort())
  })

  it('is nothing where the project takes no forks', async () => {
    expect((await projectOf()).git.forks).toBe('approve')
    await site.team.owner('PUT', '/v1/projects/web', { git: { forks: false } })
    expect(await sendFork(site, { commit: 'c'.repeat(40) })).toMatchObject({
      status: 'done',
      reason: 'Pull requests from forks are not deployed.',
    })
  })
})
