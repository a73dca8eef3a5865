/** A repository that is renamed or transferred at its forge, and another one in its place. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { projectRepositories } from '../../../../src/stores/db/schema/project-repositories.ts'
import { knowSecret } from '../../../support/kept-logs.ts'
import { type Connected, connect, deliveriesOf, pushOf, send, startForgeNodes, whenDone } from '../steps.ts'

vi.setConfig({ testTimeout: 120_000 })

const token = 'token-of-the-repository'

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  knowSecret('the token of a repository', token)
  nodes = await startForgeNodes()
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  nodes.forge.switches = { credentials: `x-access-token:${token}` }
  site = await connect(nodes.node, nodes.forge, { token })
})

const origin = () => new URL(nodes.forge.url).origin

/** The answer to a push of a new commit, as if the repository of this id were at the path. */
async function push({
  path = '/team/site',
  id = 1,
  host = origin(),
}: {
  path?: string
  id?: number
  host?: string
}) {
  const commit = await nodes.forge.commit({ 'index.html': `${path} ${Math.random()}` })
  const payload = pushOf({ url: `${host}${path}.git` }, { commit })
  return send(site, 'push', { ...payload, repository: { ...payload.repository, id } })
}

async function deployed(place: Parameters<typeof push>[0]) {
  const { status, body } = await push(place)
  expect(status).toBe(202)
  const done = await whenDone(site, body.delivery)
  expect(done).toMatchObject({ status: 'done', outcome: 'Deployed.' })
}

async function stored() {
  const { db } = nodes.node.installation.store
  const ofProject = eq(projectRepositories.projectId, site.project.id)
  const [row] = await db.select().from(projectRepositories).where(ofProject)
  return row
}

const gitOf = async () => (await site.team.owner('GET', '/v1/projects/web')).body.git

it('is followed on its host, with its token and secret, and the audit trail says so', async () => {
  await deployed({})
  nodes.forge.switches.movedTo = '/people/renamed.git'
  nodes.forge.requests.length = 0
  await deployed({ path: '/people/renamed' })
  const fetched = nodes.forge.requests.filter(({ path }) => path.includes('.git/'))
  expect(fetched.filter(({ path }) => !path.startsWith('/people/renamed.git/'))).toEqual([])
  expect(await gitOf()).toMatchObject({
    url: `${origin()}/people/renamed`,
    token_set: true,
    secret_set: true,
  })
  const { body } = await site.team.owner('GET', '/v1/logs?kind=audit')
  const lines = body.data.filter(({ message }: { message: string }) => message.includes('as the forge says'))
  const moved = `${origin()}/team/site → ${origin()}/people/renamed`
  expect(lines).toMatchObject([{ message: `changed project web: git.url (${moved}), as the forge says` }])
  expect(nodes.node.logged.join()).not.toContain(token)
})

it('goes back to no former address, which an event from before the move still says', async () => {
  await deployed({})
  nodes.forge.switches.movedTo = '/people/renamed.git'
  await deployed({ path: '/people/renamed' })
  await deployed({ path: '/team/site' })
  expect((await gitOf()).url).toBe(`${origin()}/people/renamed`)
})

it('is not another one that took its address, which the owner reads of', async () => {
  await deployed({})
  const { status, body } = await push({ id: 2 })
  expect({ status, body }).toMatchObject({
    status: 422,
    body: { reason: expect.stringContaining('another repository') },
  })
  const path = `/trpc/git.deliveries?input=${encodeURIComponent('{"project":"web"}')}`
  const client = () => site.team.owner('GET', path)
  await expect
    .poll(async () => (await client()).body.result.data.refused, { timeout: 20_000 })
    .toMatchObject([{ kind: 'repository', count: 1 }])
  expect(await deliveriesOf(site)).toHaveLength(1)
  expect((await push({ id: 2, path: '/team/other' })).status).toBe(422)
})

it('on another host is not followed, and its token goes nowhere', async () => {
  await deployed({})
  for (const host of ['https://evil.example', `https://${nodes.forge.host}:1`])
    expect((await push({ host })).status).toBe(422)
  expect(await gitOf()).toMatchObject({ url: `${origin()}/team/site`, token_set: true })
})

it('is not known by what has another secret', async () => {
  await deployed({})
  const commit = 'c'.repeat(40)
  const payload = pushOf({ url: `${origin()}/people/renamed.git` }, { commit })
  expect((await send(site, 'push', payload, { secret: 'other' })).status).toBe(403)
  expect((await gitOf()).url).toBe(`${origin()}/team/site`)
})

it('is another one once an owner says so: by another address, or a new secret', async () => {
  await deployed({})
  expect(await stored()).toMatchObject({ repositoryId: '1' })
  const put = (git: object) => site.team.owner('PUT', '/v1/projects/web', { git })
  await put({ root_directory: null, token })
  expect(await stored()).toMatchObject({ repositoryId: '1' })
  const secret = `${site.secret}-again`
  knowSecret('the secret of a repository', secret)
  await put({ secret })
  expect(await stored()).toMatchObject({ repositoryId: null })
  site = { ...site, secret }
  await deployed({ id: 2 })
  expect(await stored()).toMatchObject({ repositoryId: '2' })
  await put({ url: `${origin()}/team/other`, provider: 'github' })
  expect(await stored()).toMatchObject({ repositoryId: null, formerUrls: [], tokenSealed: null })
})

it('has what failed before it moved tried again', async () => {
  await deployed({})
  nodes.forge.switches.status = 404
  const failed = await whenDone(site, (await push({})).body.delivery)
  expect(failed.status).toBe('failed')
  const moving = await whenDone(site, (await push({ path: '/people/renamed' })).body.delivery)
  expect(moving.status).toBe('failed')
  nodes.forge.switches = { credentials: `x-access-token:${token}`, movedTo: '/people/renamed.git' }
  const { status } = await site.team.owner('POST', '/trpc/git.retry', { project: 'web', delivery: failed.id })
  expect(status).toBe(200)
  expect(await whenDone(site, failed.id)).toMatchObject({ status: 'done', outcome: 'Deployed.' })
})
