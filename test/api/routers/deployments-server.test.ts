/** The command that starts the server of a deployment: from where it comes, and that a worker tries it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deploy, insertDeployment, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

const start = 'node server.mjs'
const ofProject = (body: Record<string, unknown>) => team.owner('PUT', '/v1/projects/web', body)
const redeploy = async (from: string, fields: Record<string, unknown> = {}) =>
  (await team.owner('POST', '/v1/deployments', { project: 'web', from, ...fields })).body

describe('the command', () => {
  it('of the project is that of its deployments, which keep it', async () => {
    await ofProject({ start })
    const { id, build } = await deploy(team)
    expect(build).toMatchObject({ build_command: null, start })
    await ofProject({ start: 'node other.mjs' })
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.build.start).toBe(start)
  })

  it('of one deployment is its own, and null is none', async () => {
    await ofProject({ start: 'node other.mjs' })
    expect((await deploy(team, { build: { start } })).build.start).toBe(start)
    const without = await deploy(team, { build: { start: null } })
    expect(without).toMatchObject({ state: 'ready', build: { start: null } })
    expect((await team.owner('GET', '/v1/projects/web')).body.start).toBe('node other.mjs')
  })

  it('is null in a deployment of a version without it', async () => {
    const build = { install_command: null, build_command: null, output_directory: '.', root_directory: '.' }
    const id = await insertDeployment(node, team, { state: 'ready', build })
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.build).toEqual({ ...build, start: null })
  })

  it.each(['', 'x'.repeat(1_001)])('is refused empty, and with 1,001 characters', async (start) => {
    const files = [{ path: 'server.mjs', content: '' }]
    const answer = await team.owner('POST', '/v1/deployments', { project: 'web', files, build: { start } })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'build.start' }] } })
  })
})

describe('a deployment with one', () => {
  it('waits for a worker, and its files are no site', async () => {
    const files = [{ path: 'server.mjs', content: 'secret' }]
    const made = await deploy(team, { files, build: { start } })
    expect(made).toMatchObject({ state: 'queued', ready_ms: null })
    expect((await visit(made.url, '/server.mjs')).body).not.toContain('secret')
  })

  it('does not look for the rules of a site in its sources', async () => {
    const files = [{ path: '_redirects', content: 'no rule at all' }]
    expect((await deploy(team, { files, build: { start } })).state).toBe('queued')
  })

  it('is not needed for a server where only packages are installed', async () => {
    expect((await deploy(team, { build: { install_command: 'npm ci' } })).state).toBe('ready')
  })

  it('is deployed again from its sources, with what its request gave', async () => {
    const { id } = await deploy(team, { build: { start } })
    await ofProject({ start: 'node other.mjs' })
    expect(await redeploy(id)).toMatchObject({ state: 'queued', files: 1, build: { start } })
    const site = await redeploy(id, { build: { start: null } })
    expect(site).toMatchObject({ state: 'ready', files: 1, build: { start: null } })
    expect(await redeploy(site.id)).toMatchObject({ state: 'ready', build: { start: null } })
  })

  it('is one where the project has a command by now, but for what was served as it is', async () => {
    const { id } = await deploy(team)
    await ofProject({ start })
    expect(await redeploy(id)).toMatchObject({ state: 'queued', build: { start } })
  })
})
