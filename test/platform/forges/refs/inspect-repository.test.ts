/** A repository is looked at before a project is connected to it, and deployed once it is. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { svcWith } from '../../../cli/svc.ts'
import type { Api } from '../../../support/api.ts'
import { eventually } from '../../../support/eventually.ts'
import { knowSecret } from '../../../support/kept-logs.ts'
import { addLimited } from '../../../support/limits.ts'
import { addMember } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { type Connected, connect, deliveriesOf, startForgeNodes, whenDone } from '../steps.ts'

vi.setConfig({ testTimeout: 60_000 })

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  nodes = await startForgeNodes()
  await nodes.forge.commit({ 'index.html': 'the default branch' }, 'trunk')
  await nodes.forge.commit({ 'index.html': 'another branch' }, 'next')
  await nodes.forge.tree.git('checkout', '--quiet', 'trunk')
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  nodes.forge.switches = {}
  site = await connect(nodes.node, nodes.forge)
})

async function ask(path: 'inspect' | 'deploy', input: object, as: Api = site.team.owner) {
  const { status, body } = await as('POST', `/trpc/git.${path}`, input)
  return { status, body: body.result?.data ?? body.error?.data ?? body }
}

const inspect = (git: object = {}) =>
  ask('inspect', { git: { url: nodes.forge.url, provider: 'gitea', ...git } })

const wrong = (path: string, text: string) => ({
  status: 400,
  body: expect.objectContaining({ issues: [{ path, message: expect.stringContaining(text) }] }),
})

/** What a deployment serves, with its record. */
async function deployed({ deployment }: { deployment: string | null }) {
  const { body: made } = await site.team.owner('GET', `/v1/deployments/${deployment}`)
  return { made, text: (await visit(made.url)).body }
}

it('names the default branch, with the address as it is stored', async () => {
  const url = nodes.forge.url.replace(/\.git$/, '')
  const found = { status: 200, body: { url, provider: 'gitea', default_branch: 'trunk' } }
  expect(await inspect()).toEqual(found)
  expect(await inspect({ production_branch: 'next' })).toEqual(found)
  nodes.forge.switches = { tipsOnly: true }
  expect(await inspect({ production_branch: 'next' })).toEqual(found)
})

it('refuses a branch that is not there, also one that would be lines of the request', async () => {
  const missing = wrong('git.production_branch', 'its default branch is trunk')
  expect(await inspect({ production_branch: 'nex' })).toEqual(missing)
  expect(await inspect({ production_branch: 'next\n0000' })).toEqual(missing)
  nodes.forge.switches = { tipsOnly: true }
  expect(await inspect({ production_branch: 'nex' })).toEqual(missing)
})

it('reads a private one with the token alone, and says what is missing', async () => {
  nodes.forge.switches = { credentials: 'svc:right' }
  expect(await inspect()).toEqual(wrong('git.url', 'needs a token'))
  expect(await inspect({ token: 'wrong' })).toEqual(wrong('git.token', 'no right to read the repository'))
  expect((await inspect({ token: 'right' })).status).toBe(200)
})

it('says by field why an address leads nowhere', async () => {
  expect(await inspect({ url: 'http://forge.example.com/team/site' })).toEqual(wrong('git.url', 'https'))
  expect(await inspect({ url: 'https://127.0.0.1/team/site' })).toEqual(wrong('git.url', 'SVC_GIT_HOSTS'))
  expect(await inspect({ url: 'https://nowhere.example.com/team/site' })).toEqual(
    wrong('git.url', 'The host has no address'),
  )
  expect(await inspect({ provider: undefined })).toEqual(wrong('git.provider', 'required for'))
  nodes.forge.switches = { location: 'https://forge.example.com/elsewhere' }
  expect(await inspect()).toEqual(wrong('git.url', 'redirects'))
  nodes.forge.switches = { status: 503 }
  expect(await inspect()).toEqual(wrong('git.url', 'status 503'))
})

it('is for owners', async () => {
  const { api } = await addMember(nodes.node, site.team, 'member')
  expect((await ask('inspect', { git: { url: nodes.forge.url } }, api)).status).toBe(403)
})

it('deploys the default branch to production right after connecting', async () => {
  const queued = await ask('deploy', { project: 'web' })
  expect(queued.body).toMatchObject({ event: 'deploy', branch: 'trunk', status: 'pending' })
  const done = await whenDone(site, queued.body.id)
  expect(done).toMatchObject({ status: 'done', outcome: 'Deployed.', commit: expect.any(String) })
  const { made, text } = await deployed(done)
  expect(made.live).toBe(true)
  expect(text).toBe('the default branch')
  const { body: project } = await site.team.owner('GET', '/v1/projects/web')
  expect(project.git).toMatchObject({ production_branch: 'trunk', production_branch_by: 'forge' })
})

it('deploys in the name of the caller, the branch that an owner set, or another as a preview', async () => {
  await site.team.owner('PUT', '/v1/projects/web', { git: { production_branch: 'next' } })
  const { api, userId } = await addMember(nodes.node, site.team, 'member')
  const queued = await ask('deploy', { project: 'web' }, api)
  const done = await whenDone(site, queued.body.id)
  const { made, text } = await deployed(done)
  expect(text).toBe('another branch')
  expect(made).toMatchObject({ created_by: userId, target: 'production', live: true })
  const preview = await ask('deploy', { project: 'web', branch: 'trunk' })
  expect((await whenDone(site, preview.body.id)).outcome).toContain('Deployed as a preview')
})

it('refuses at once what the forge refuses, and queues nothing', async () => {
  expect(await ask('deploy', { project: 'web', branch: 'gone' })).toEqual(wrong('branch', 'gone'))
  nodes.forge.switches = { status: 404 }
  expect(await ask('deploy', { project: 'web' })).toEqual(wrong('git.url', 'needs a token'))
  expect(await deliveriesOf(site)).toEqual([])
})

it('is tried again where the forge has a problem', async () => {
  nodes.forge.switches = { status: 503 }
  expect((await ask('deploy', { project: 'web' })).body).toMatchObject({ status: 'pending', branch: 'main' })
})

it('`svc git connect` makes a named project and deploys it, or makes nothing and says why', async () => {
  const svc = await svcWith(nodes.node, site.team.ownerKey)
  const connectNew = (name: string, ...more: string[]) =>
    svc(['git', 'connect', nodes.forge.url, '--provider', 'gitea', '--project', name, ...more])
  nodes.forge.switches = { status: 404 }
  const refused = await connectNew('fresh')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('git.url')
  expect((await site.team.owner('GET', '/v1/projects/fresh')).status).toBe(404)
  nodes.forge.switches = {}
  const made = await connectNew('fresh')
  knowSecret('the secret of a repository', /whsec_\S+/.exec(made.stdout)?.[0] ?? '')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain('trunk is fetched and deployed now.\n')
  await eventually(async () => {
    const { body } = await site.team.owner('GET', '/v1/projects/fresh')
    expect(body.production_deployment).toMatch(/^dpl_/)
  })
  const again = await connectNew('fresh', '--root-directory', 'site')
  expect(again.stdout).toBe(
    `fresh deploys ${nodes.forge.url.slice(0, -4)} as before, with the same secret.\n`,
  )
  expect((await connectNew('-no')).stderr).toContain('--project must be a DNS label')
})

it('answers 404 to a member who is limited to other projects', async () => {
  const { api } = await addLimited(nodes.node, site.team, [])
  expect((await ask('deploy', { project: 'web' }, api)).status).toBe(404)
})
