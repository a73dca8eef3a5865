/** What failed of a forge is tried again by hand. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { forgeDeliveries } from '../../../../src/stores/db/schema/project-repositories.ts'
import type { Answer, Api } from '../../../support/api.ts'
import { addLimited } from '../../../support/limits.ts'
import { newTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { clientOf, newHook, send as sendHook } from '../../hooks/steps.ts'
import {
  approve,
  type Connected,
  commitOfFork,
  connect,
  type Delivery,
  deliveriesOf,
  pullRequestOf,
  pushOf,
  send,
  sendFork,
  startForgeNodes,
  whenDone,
} from '../steps.ts'

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

/** A push that failed, since the forge didn't give its commit out; it does by now. */
async function failed(branch = 'main', text = 'again'): Promise<Delivery> {
  const commit = await nodes.forge.commit({ 'index.html': text }, branch)
  return failing(() => send(site, 'push', pushOf(nodes.forge, { branch, commit })))
}

async function failing(sending: () => Promise<{ body: Answer['body'] }>): Promise<Delivery> {
  nodes.forge.switches.status = 404
  const done = await whenDone(site, (await sending()).body.delivery)
  expect(done.status).toBe('failed')
  nodes.forge.switches = {}
  return done
}

/** What came of a try: the delivery, or why it was refused. */
async function retry({ id }: Pick<Delivery, 'id'>, as: Api = site.team.owner) {
  const { status, body } = await as('POST', '/trpc/git.retry', { project: 'web', delivery: id })
  return { status, body: body.result?.data ?? body.error?.data ?? body }
}

const refusal = (reason: string, status = 409) => ({ status, body: expect.objectContaining({ reason }) })

it('by a member who sees the project, and is what it would have been', async () => {
  const delivery = await failed()
  const member = await addLimited(nodes.node, site.team, [site.project.id])
  const { status, body } = await retry(delivery, member.api)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { id: delivery.id, status: 'pending', attempts: 0 },
  })
  const done = await whenDone(site, delivery.id)
  expect(done).toMatchObject({ status: 'done', outcome: 'Deployed.', attempts: 1, commit: delivery.commit })
  const { body: made } = await site.team.owner('GET', `/v1/deployments/${done.deployment}`)
  expect(made).toMatchObject({ live: true, source: { kind: 'forge' }, created_by: site.team.ownerId })
  expect((await visit(made.aliases[0])).body).toBe('again')
  const { body: lines } = await site.team.owner('GET', '/v1/logs?kind=audit')
  const said = lines.data.map(({ message }: { message: string }) => message)
  expect(said.filter((message: string) => message.includes(delivery.id))).toEqual([
    `had delivery ${delivery.id} (push) of web tried again`,
  ])
})

it('not while it is tried, nor once it is done', async () => {
  const delivery = await failed()
  let goOn = () => {}
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  nodes.forge.switches.before = () => mayGoOn
  const answers = await Promise.all(Array.from({ length: 5 }, () => retry(delivery)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(4).fill(refusal('delivery_pending')))
  goOn()
  expect(await whenDone(site, delivery.id)).toMatchObject({ status: 'done', attempts: 1 })
  expect(await retry(delivery)).toEqual(refusal('changed_since'))
})

it('not by whoever does not see the project', async () => {
  const delivery = await failed()
  const { body: other } = await site.team.owner('PUT', '/v1/projects/other', {})
  const limited = await addLimited(nodes.node, site.team, [other.id])
  const strangers = [limited.api, (await newTeam(nodes.node)).owner]
  for (const stranger of strangers) {
    const answer = await retry(delivery, stranger)
    expect(answer).toEqual(refusal('project_not_found', 404))
    expect(answer.body.message).not.toContain(site.project.id)
  }
  const elsewhere = { project: 'other', delivery: delivery.id }
  expect((await site.team.owner('POST', '/trpc/git.retry', elsewhere)).status).toBe(404)
})

it('not what something newer of its branch has replaced, nor what was deleted', async () => {
  const older = await failed('next')
  const commit = await nodes.forge.commit({ 'index.html': 'newer' }, 'next')
  await whenDone(
    site,
    (await send(site, 'push', pushOf(nodes.forge, { branch: 'next', commit }))).body.delivery,
  )
  expect(await retry(older)).toEqual(refusal('changed_since'))
  const gone = await failed('gone')
  const deletion = pushOf(nodes.forge, { branch: 'gone', commit: 'c'.repeat(40), deleted: true })
  await whenDone(site, (await send(site, 'push', deletion)).body.delivery)
  expect(await retry(gone)).toEqual(refusal('changed_since'))
})

it('not of a pull request that was closed since', async () => {
  const commit = await nodes.forge.commit({ 'index.html': 'closed' }, 'feature')
  const ofPull = { branch: 'feature', commit, number: 11 }
  const opened = await failing(() => send(site, 'pull_request', pullRequestOf(nodes.forge, ofPull)))
  const closing = pullRequestOf(nodes.forge, { ...ofPull, action: 'closed' })
  await whenDone(site, (await send(site, 'pull_request', closing)).body.delivery)
  expect(await retry(opened)).toEqual(refusal('changed_since'))
})

it('not of another repository than the project deploys now', async () => {
  const delivery = await failed()
  const put = (git: unknown) => site.team.owner('PUT', '/v1/projects/web', { git })
  const own = { url: nodes.forge.url, provider: 'github', secret: site.secret }
  await put({ ...own, url: `${new URL(nodes.forge.url).origin}/team/other` })
  expect(await retry(delivery)).toEqual(refusal('changed_since'))
  await put(null)
  expect(await retry(delivery)).toEqual(refusal('changed_since'))
  await put(own)
  expect((await retry(delivery)).status).toBe(200)
  expect(await whenDone(site, delivery.id)).toMatchObject({ status: 'done', outcome: 'Deployed.' })
})

it('queued, ends where the project has another repository by then', async () => {
  nodes.forge.switches.status = 503
  const commit = await nodes.forge.commit({ 'index.html': 'moved' })
  const { delivery } = (await send(site, 'push', pushOf(nodes.forge, { commit }))).body
  await expect
    .poll(async () => (await deliveriesOf(site))[0]?.outcome, { timeout: 60_000 })
    .toContain('again')
  const url = `${new URL(nodes.forge.url).origin}/team/other`
  await site.team.owner('PUT', '/v1/projects/web', { git: { url, provider: 'github' } })
  nodes.node.clock.aheadMs += 11_000
  expect(await whenDone(site, delivery)).toMatchObject({
    status: 'done',
    deployment: null,
    outcome: 'The project is connected to another repository since.',
  })
})

it('not what failed at a version that kept nothing of it', async () => {
  const delivery = await failed()
  const { db } = nodes.node.installation.store
  await db.update(forgeDeliveries).set({ work: null }).where(eq(forgeDeliveries.id, delivery.id))
  const answer = await retry(delivery)
  expect(answer).toEqual(refusal('sources_gone'))
  expect(answer.body.message).toContain('have the forge send it again')
})

it('of a fork takes its approval, as the setting and the approver are by then', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { forks: 'approve' } })
  const commit = await commitOfFork(nodes.forge, { 'index.html': 'of a fork' })
  const { delivery } = await sendFork(site, { commit })
  const fail = () =>
    failing(async () => {
      await approve(site, { delivery, commit })
      return { body: { delivery } }
    })
  const first = await fail()
  const member = await addLimited(nodes.node, site.team, [site.project.id])
  await site.team.owner('PUT', '/v1/projects/web', { git: { forks: false } })
  expect((await retry(first, member.api)).status).toBe(200)
  expect(await whenDone(site, delivery)).toMatchObject({
    status: 'failed',
    deployment: null,
    outcome: 'Pull requests from forks are not deployed.',
  })
  await site.team.owner('PUT', '/v1/projects/web', { git: { forks: 'approve' } })
  expect((await retry(first, member.api)).status).toBe(200)
  const done = await whenDone(site, delivery)
  expect(done).toMatchObject({ status: 'done', approved_by: site.team.ownerId })
  const { body: made } = await site.team.owner('GET', `/v1/deployments/${done.deployment}`)
  expect(made).toMatchObject({ untrusted: true, target: 'preview', created_by: site.team.ownerId })
})

it('of a fork not once a newer head of its pull request waits, or it was closed', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { forks: 'approve' } })
  const failedHead = async (number: number) => {
    const commit = await commitOfFork(nodes.forge, { 'index.html': `head ${number}` }, number)
    const { delivery } = await sendFork(site, { commit, number })
    return failing(async () => {
      await approve(site, { delivery, commit })
      return { body: { delivery } }
    })
  }
  const older = await failedHead(21)
  await sendFork(site, { commit: await commitOfFork(nodes.forge, { 'index.html': 'newer' }, 21), number: 21 })
  expect(await retry(older)).toEqual(refusal('changed_since'))
  const closed = await failedHead(22)
  const { delivery } = await sendFork(site, { commit: closed.commit ?? '', number: 22, action: 'closed' })
  await whenDone(site, delivery)
  expect(await retry(closed)).toEqual(refusal('changed_since'))
})

it('of a deploy hook fetches the branch as it is by then, while the hook is there', async () => {
  const { url, id } = await newHook({ client: clientOf(site.node, site.team.ownerKey) }, { branch: 'later' })
  const first = await failing(() => sendHook(url))
  const commit = await nodes.forge.commit({ 'index.html': 'by now' }, 'later')
  await retry(first)
  expect(await whenDone(site, first.id)).toMatchObject({ status: 'done', commit })
  const second = await failing(() => sendHook(url))
  await clientOf(site.node, site.team.ownerKey).hooks.revoke.mutate({ project: 'web', id })
  await retry(second)
  expect(await whenDone(site, second.id)).toMatchObject({ status: 'failed', deployment: null })
})
