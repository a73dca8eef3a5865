/** Forges are sent the state of a deployment as it changes: the status of its commit, and one comment. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { forgeReports } from '../../../../src/stores/db/schema/project-repositories.ts'
import { eventually } from '../../../support/eventually.ts'
import type { ApiRequest } from '../../../support/git-forge.ts'
import { newHold } from '../../builds/hold.ts'
import {
  approve,
  type Connected,
  commitOfFork,
  connect,
  deliveriesOf,
  pullRequestOf,
  pushOf,
  send,
  sendFork,
  startForgeNodes,
  whenDone,
} from '../steps.ts'

vi.setConfig({ testTimeout: 120_000 })

const token = 'ghp_reporting'
const base = '/api/v3/repos/team/site'

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected
let statuses: { commit: string; state: string; target_url: string; context: string }[]
let comments: { id: number; body: string; user: { id: number } }[]
let refuse: ((request: ApiRequest) => number | undefined) | undefined

beforeAll(async () => {
  nodes = await startForgeNodes()
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  statuses = []
  comments = []
  refuse = undefined
  nodes.forge.switches = { api: answer }
  site = await connect(nodes.node, nodes.forge, { token })
})

/** As GitHub documents its API. */
function answer(request: ApiRequest): { status: number; body: unknown } {
  const { method, path, authorization, body } = request
  if (authorization !== `Bearer ${token}`) return { status: 401, body: {} }
  const refused = refuse?.(request)
  if (refused !== undefined) return { status: refused, body: {} }
  const [, commit] = /\/statuses\/([0-9a-f]{40})$/.exec(path) ?? []
  if (method === 'POST' && commit !== undefined) {
    statuses.push({ commit, ...(body as Omit<(typeof statuses)[number], 'commit'>) })
    return { status: 201, body: {} }
  }
  if (path === '/api/v3/user') return { status: 200, body: { id: 1 } }
  const { body: comment } = (body ?? {}) as { body: string }
  if (method === 'GET' && path.startsWith(`${base}/issues/7/comments`)) return { status: 200, body: comments }
  if (method === 'POST' && path === `${base}/issues/7/comments`) {
    comments.push({ id: comments.length + 1, body: comment, user: { id: 1 } })
    return { status: 201, body: comments.at(-1) }
  }
  const [, id] = new RegExp(`^${base}/issues/comments/(\\d+)$`).exec(path) ?? []
  const known = comments.find((each) => each.id === Number(id))
  if (method !== 'PATCH' || !known) return { status: 404, body: {} }
  known.body = comment
  return { status: 200, body: known }
}

async function push(files: Record<string, string>, branch = 'main') {
  const commit = await nodes.forge.commit(files, branch)
  const { body } = await send(site, 'push', pushOf(nodes.forge, { branch, commit }))
  return { commit, delivery: body.delivery as string }
}

it('the status of a commit is pending while it is built, then a success at its address', async () => {
  const hold = newHold()
  const build = { build_command: `${hold.command}; mkdir -p dist; cp index.html dist` }
  const files = { 'index.html': 'built', 'svc.json': JSON.stringify({ build }) }
  const { commit, delivery } = await push(files)
  const { deployment } = await whenDone(site, delivery)
  await eventually(() => expect(statuses.map(({ state }) => state)).toEqual(['pending']), { limitMs: 60_000 })
  await hold.release()
  await eventually(() => expect(statuses.at(-1)?.state).toBe('success'), { limitMs: 60_000 })
  expect(statuses.map(({ state }) => state)).toEqual(['pending', 'success'])
  const { body } = await site.team.owner('GET', `/v1/deployments/${deployment}`)
  expect(statuses[0]).toMatchObject({
    commit,
    context: 'svc/web',
    target_url: `${site.node.apiUrl}/${site.team.slug}/web/deployments/${deployment}`,
  })
  expect(body.aliases).toContain(statuses[1]?.target_url)
  expect(comments).toEqual([])
  await nodes.forge.commit({ 'svc.json': '{}' })
})

it('a build that fails is a failure that leads to its log', { tags: 'long' }, async () => {
  const files = { 'svc.json': JSON.stringify({ build: { build_command: 'exit 1' } }) }
  const { delivery } = await push(files)
  const { deployment } = await whenDone(site, delivery)
  await eventually(() => expect(statuses.at(-1)?.state).toBe('failure'), { limitMs: 60_000 })
  expect(statuses.at(-1)?.target_url).toContain(`/deployments/${deployment}`)
  await nodes.forge.commit({ 'svc.json': '{}' })
})

it('a pull request has one comment, which follows its newest commit', async () => {
  const { commit, delivery } = await push({ 'index.html': 'first' }, 'next')
  const { deployment } = await whenDone(site, delivery)
  const opened = await send(site, 'pull_request', pullRequestOf(nodes.forge, { commit }))
  await whenDone(site, opened.body.delivery)
  await eventually(() => expect(comments).toHaveLength(1), { limitMs: 60_000 })
  const first = comments[0]?.body ?? ''
  expect(first).toMatch(new RegExp(`^<!-- svc:${site.project.id} -->`))
  expect(first).toContain(commit.slice(0, 10))
  expect(first).toContain('-git-next')
  expect(first).toContain(`/deployments/${deployment}`)
  const later = await nodes.forge.commit({ 'index.html': 'second' }, 'next')
  const payload = pullRequestOf(nodes.forge, { commit: later, action: 'synchronize' })
  await whenDone(site, (await send(site, 'pull_request', payload)).body.delivery)
  await eventually(() => expect(comments[0]?.body).toContain(later.slice(0, 10)), { limitMs: 60_000 })
  expect(comments).toHaveLength(1)
})

it('a pull request of a fork has its own address in the status and the comment, once approved', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { forks: 'approve' } })
  const commit = await commitOfFork(nodes.forge, { 'index.html': 'fork' })
  const { delivery } = await sendFork(site, { commit })
  await approve(site, { delivery, commit })
  await whenDone(site, delivery)
  await eventually(() => expect(comments).toHaveLength(1), { limitMs: 60_000 })
  expect(comments[0]?.body).toMatch(/\/\/web-pr-7[.-]/)
  expect(statuses.at(-1)).toMatchObject({ commit, state: 'success' })
  expect(statuses.at(-1)?.target_url).toMatch(/\/\/web-pr-7[.-]/)
})

it('a forge that fails is tried again; of one that refuses the missing right is named', async () => {
  refuse = () => 500
  const { delivery } = await push({ 'index.html': 'later' })
  await whenDone(site, delivery)
  const problem = async () => (await deliveriesOf(site))[0]?.report_problem
  await eventually(async () => expect(await problem()).toContain('status 500'), { limitMs: 60_000 })
  refuse = () => 403
  nodes.node.clock.aheadMs += 6_000
  await eventually(async () => expect(await problem()).toContain('the token needs the right'), {
    limitMs: 60_000,
  })
  const rows = await nodes.node.installation.store.db
    .select()
    .from(forgeReports)
    .where(eq(forgeReports.projectId, site.project.id))
  expect(rows).toMatchObject([{ open: false, attempts: 2 }])
  expect(JSON.stringify([await deliveriesOf(site), nodes.node.logged])).not.toContain(token)
})

it('nothing is reported without a token', { tags: 'long' }, async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { token: null } })
  const { delivery } = await push({ 'index.html': 'public' })
  await whenDone(site, delivery)
  const rows = await nodes.node.installation.store.db
    .select()
    .from(forgeReports)
    .where(eq(forgeReports.projectId, site.project.id))
  expect(rows).toEqual([])
})
