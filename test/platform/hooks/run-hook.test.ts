/** What a deploy hook deploys, how often, and what it never does. Nothing builds here: builds stay queued. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { deploy, insertDeployment, visit } from '../deployments/steps.ts'
import { newHook, newHooked, send } from './steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

const page = (content: string) => ({ files: [{ path: 'index.html', content }] })

type Site = Awaited<ReturnType<typeof newHooked>>

const read = async ({ team }: Site, id: string) => (await team.owner('GET', `/v1/deployments/${id}`)).body

/** A hook whose project has a build by now, and one deployment from before. */
async function newBuilt() {
  const site = await newHooked(node)
  const live = await deploy(site.team, { target: 'production' })
  await site.team.owner('PUT', '/v1/projects/web', { build: { build_command: 'true' } })
  return { site, live, hook: await newHook(site) }
}

const countOf = async ({ project }: Site) =>
  node.installation.store.db.$count(
    deployments,
    and(eq(deployments.projectId, project.id), eq(deployments.sourceKind, 'hook')),
  )

describe('a hook without a branch', () => {
  it('deploys what is live again, in the name of who made it', async () => {
    const site = await newHooked(node)
    const first = await deploy(site.team, { target: 'production', meta: { branch: 'main' }, ...page('one') })
    await deploy(site.team, page('a preview'))
    const { url, id } = await newHook(site, { name: 'Articles' })
    const { status, body } = await send(url)
    const made = await read(site, body.deployment)
    expect({ status, body }).toEqual({
      status: 201,
      body: { deployment: made.id, url: made.url, state: 'ready' },
    })
    expect(made).toMatchObject({
      target: 'production',
      live: true,
      meta: { branch: 'main' },
      source: { kind: 'hook', name: 'Articles' },
      redeploy_of: first.id,
      created_by: site.team.ownerId,
    })
    expect((await visit(made.url)).body).toBe('one')
    const { data } = await site.client.hooks.list.query({ project: 'web' })
    expect(data).toMatchObject([{ id, last_used_ms: made.created_ms }])
  })

  it('takes the settings of today, and what was promoted by hand for production', async () => {
    const site = await newHooked(node)
    const { id } = await deploy(site.team)
    await site.team.owner('POST', `/v1/deployments/${id}/promote`)
    await site.team.owner('PUT', '/v1/projects/web', { build: { build_command: 'make' } })
    const { body } = await send((await newHook(site)).url)
    expect(await read(site, body.deployment)).toMatchObject({
      state: 'queued',
      target: 'production',
      build: { build_command: 'make' },
      redeploy_of: id,
    })
  })

  it('opens no protected site', async () => {
    const site = await newHooked(node)
    await deploy(site.team, { target: 'production' })
    await site.team.owner('PUT', '/v1/projects/web', { protection: 'all' })
    const { status, body } = await send((await newHook(site)).url)
    expect(status).toBe(201)
    expect((await visit(body.url)).status).toBe(401)
  })

  it('is 409 where nothing is live, or its sources are gone', async () => {
    const site = await newHooked(node)
    const { url } = await newHook(site)
    expect(await send(url)).toMatchObject({ status: 409, body: { reason: 'nothing_to_rebuild' } })
    const { id } = await deploy(site.team, { target: 'production' })
    const { db } = node.installation.store
    const build = {
      install_command: null,
      build_command: 'make',
      output_directory: 'dist',
      root_directory: '.',
    }
    await db.update(deployments).set({ build }).where(eq(deployments.id, id))
    expect(await send(url)).toMatchObject({ status: 409, body: { reason: 'sources_gone' } })
    expect(await countOf(site)).toBe(0)
  })
})

describe('a hook of a branch', () => {
  it("deploys the branch's newest deployment that is ready, as a preview", async () => {
    const site = await newHooked(node)
    const next = { meta: { branch: 'next' } }
    await deploy(site.team, { ...next, ...page('older') })
    const { id } = await deploy(site.team, { ...next, ...page('newer') })
    await deploy(site.team, { target: 'production', meta: { branch: 'main' } })
    await insertDeployment(node, site.team, { ...next, state: 'error' })
    const { body } = await send((await newHook(site, { branch: 'next' })).url)
    expect(await read(site, body.deployment)).toMatchObject({ target: 'preview', redeploy_of: id, ...next })
  })

  it("goes to production only where the branch is production's and the deployment was for it", async () => {
    const site = await newHooked(node)
    for (const branch of ['main', 'next']) {
      const { id } = await deploy(site.team, { target: 'production', meta: { branch } })
      const { body } = await send((await newHook(site, { branch })).url)
      const target = branch === 'main' ? 'production' : 'preview'
      expect(await read(site, body.deployment)).toMatchObject({ target, redeploy_of: id })
    }
  })

  it('is no preview that names the production branch, however new', async () => {
    const site = await newHooked(node)
    const meta = { branch: 'main' }
    const live = await deploy(site.team, { target: 'production', meta })
    await deploy(site.team, { meta })
    const { url } = await newHook(site, { branch: 'main' })
    const made = await read(site, (await send(url)).body.deployment)
    expect(made).toMatchObject({ target: 'production', redeploy_of: live.id })
  })

  it('never deploys the sources of somebody outside the team, nor those of another project', async () => {
    const [site, other] = [await newHooked(node), await newHooked(node)]
    await deploy(other.team, { meta: { branch: 'next' } })
    const { url } = await newHook(site, { branch: 'next' })
    expect(await send(url)).toMatchObject({ status: 409, body: { reason: 'nothing_to_rebuild' } })
    const { id: trusted } = await deploy(site.team, { meta: { branch: 'next' } })
    const { id } = await deploy(site.team, { meta: { branch: 'next' } })
    const { db } = node.installation.store
    await db.update(deployments).set({ untrusted: true }).where(eq(deployments.id, id))
    const { body } = await send(url)
    expect(await read(site, body.deployment)).toMatchObject({ redeploy_of: trusted })
  })

  it('passes over deployments whose sources are gone', async () => {
    const site = await newHooked(node)
    const { id } = await deploy(site.team, { meta: { branch: 'next' } })
    const build = { ...site.project.build, build_command: 'make' }
    await insertDeployment(node, site.team, { state: 'ready', meta: { branch: 'next' }, build })
    const { body } = await send((await newHook(site, { branch: 'next' })).url)
    expect(await read(site, body.deployment)).toMatchObject({ redeploy_of: id })
  })

  it('those of a server, too, whose files are no sources', async () => {
    const site = await newHooked(node)
    const { id } = await deploy(site.team, { meta: { branch: 'next' } })
    const { id: server } = await deploy(site.team, { meta: { branch: 'next' } })
    const build = { ...site.project.build, start: 'node server.mjs' }
    await node.installation.store.db.update(deployments).set({ build }).where(eq(deployments.id, server))
    const { body } = await send((await newHook(site, { branch: 'next' })).url)
    expect(await read(site, body.deployment)).toMatchObject({ redeploy_of: id })
  })
})

describe('while its deployment is queued', () => {
  it('twenty requests at once make one, which is the answer to all', async () => {
    const { site, hook } = await newBuilt()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(hook.url)))
    expect(new Set(answers.map(({ body }) => body.deployment)).size).toBe(1)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201])
    expect(await countOf(site)).toBe(1)
    const { data } = await site.client.observability.logs.query({ kind: 'audit', q: 'deploy hook cms' })
    expect(data.filter(({ fields }) => fields.type === 'deployment.created')).toHaveLength(1)
  })

  it('a request makes another one once something else is live', async () => {
    const { site, hook } = await newBuilt()
    const { body: first } = await send(hook.url)
    const { id } = await deploy(site.team, { target: 'production', build: { build_command: null } })
    const { status, body } = await send(hook.url)
    expect(status).toBe(201)
    expect(body.deployment).not.toBe(first.deployment)
    expect(await read(site, body.deployment)).toMatchObject({ redeploy_of: id })
  })

  it('another hook makes its own', async () => {
    const { site, hook } = await newBuilt()
    const { body: first } = await send(hook.url)
    const { body } = await send((await newHook(site)).url)
    expect(body.deployment).not.toBe(first.deployment)
  })
})

it('ten deployments an hour are made, whatever was refused or queued already', async () => {
  const { site, hook } = await newBuilt()
  const cancel = (id: string) => site.team.owner('DELETE', `/v1/deployments/${id}`)
  for (let made = 0; made < 10; made += 1) {
    const { status, body } = await send(hook.url)
    expect(status).toBe(201)
    expect((await send(hook.url)).status).toBe(200)
    expect((await cancel(body.deployment)).status).toBe(200)
  }
  const limited = await send(hook.url)
  expect(limited).toMatchObject({ status: 429, body: { reason: 'rate_limited' } })
  const retryAfterS = Number(limited.headers.get('retry-after'))
  expect(retryAfterS).toBeGreaterThan(3_000)
  expect(limited.body.retry_after_ms).toBeLessThanOrEqual(retryAfterS * 1_000)
  node.clock.aheadMs = 3_600_000
  expect((await send(hook.url)).status).toBe(201)
  node.clock.aheadMs = 0
})
