import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { deploy, insertDeployment, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

const redeploy = (from: string, fields: Record<string, unknown> = {}) =>
  team.owner('POST', '/v1/deployments', { project: 'web', from, ...fields })

const page = (content: string) => ({ files: [{ path: 'index.html', content }] })

describe('a deployment from the sources of another', () => {
  it('has the same files and rules, target and meta, and says where it comes from', async () => {
    const first = await deploy(team, {
      target: 'production',
      meta: { branch: 'main' },
      files: [
        { path: 'index.html', content: 'one' },
        { path: '_redirects', content: '/old /index.html 200' },
      ],
    })
    await deploy(team, { target: 'production', ...page('two') })
    const { status, body } = await redeploy(first.id)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        state: 'ready',
        live: true,
        target: 'production',
        meta: { branch: 'main' },
        files: 2,
        bytes: first.bytes,
        source: { kind: 'redeploy', name: 'owner' },
        redeploy_of: first.id,
        untrusted: false,
      },
    })
    expect(body.id).not.toBe(first.id)
    expect(await visit(body.url, '/old')).toEqual({ status: 200, body: 'one' })
    expect((await team.owner('GET', `/v1/deployments/${body.id}`)).body).toEqual(body)
  })

  it('takes the target and meta of its request instead', async () => {
    const { id } = await deploy(team, { target: 'production', meta: { branch: 'main', commit: '1' } })
    const { body } = await redeploy(id, { target: 'preview', meta: { note: 'again' } })
    expect(body).toMatchObject({ target: 'preview', live: false, meta: { note: 'again' } })
  })

  it('can be made by a member, also of one that was made so, and after the first was deleted', async () => {
    const { api } = await addMember(node, team)
    const { id } = await deploy(team)
    const second = await api('POST', '/v1/deployments', { project: 'web', from: id })
    expect(second.body).toMatchObject({ redeploy_of: id, created_by_name: 'member' })
    await team.owner('DELETE', `/v1/deployments/${id}`)
    const third = await redeploy(second.body.id)
    expect(third.body).toMatchObject({ state: 'ready', redeploy_of: second.body.id })
    expect(await visit(third.body.url)).toEqual({ status: 200, body: 'hello' })
    expect((await team.owner('GET', `/v1/deployments/${second.body.id}`)).body.redeploy_of).toBe(id)
  })

  it('a repeat gets a response that an earlier version stored, with what a record has by now', async () => {
    const key = { 'idempotency-key': randomUUID() }
    await team.owner('PUT', '/v1/projects/web')
    const send = () => team.owner('POST', '/v1/deployments', { project: 'web', ...page('hello') }, key)
    const { body: first } = await send()
    await node.installation.store.db.execute(sql`
      update idempotency_keys set answer = (answer::jsonb
        - 'source' - 'redeploy_of' - 'untrusted' - 'created_by_name' - 'warnings')::json
      where team_id = ${team.id}`)
    const { status, body } = await send()
    const known = { source: { kind: 'api', name: null }, created_by_name: null }
    expect({ status, body }).toEqual({ status: 200, body: { ...first, ...known } })
  })

  it('is made once for a repeated Idempotency-Key', async () => {
    const { id } = await deploy(team)
    const key = { 'idempotency-key': randomUUID() }
    const send = () => team.owner('POST', '/v1/deployments', { project: 'web', from: id }, key)
    expect((await send()).body.id).toBe((await send()).body.id)
  })
})

describe('the settings of today apply,', () => {
  const build = { build_command: 'make' }

  it('so that files are built where the project builds by now', async () => {
    const { id } = await deploy(team)
    await team.owner('PUT', '/v1/projects/web', { build })
    expect((await redeploy(id)).body).toMatchObject({ state: 'queued', build })
  })

  it('but those that a request gave by itself stay, until another gives others', async () => {
    const { id } = await deploy(team, { build: { build_command: null } })
    await team.owner('PUT', '/v1/projects/web', { build: { ...build, output_directory: 'out' } })
    const again = await redeploy(id)
    expect(again.body).toMatchObject({ state: 'ready', build: { output_directory: 'out' } })
    expect((await redeploy(again.body.id)).body.state).toBe('ready')
    expect((await redeploy(id, { build })).body.state).toBe('queued')
  })

  it('and what was deployed as it is before such settings were kept stays as it is', async () => {
    const { id } = await deploy(team)
    const { db } = node.installation.store
    await db.update(deployments).set({ buildGiven: null }).where(eq(deployments.id, id))
    await team.owner('PUT', '/v1/projects/web', { build })
    expect((await redeploy(id)).body).toMatchObject({ state: 'ready', build: { build_command: null } })
  })
})

describe('is refused:', () => {
  it('files beside it, and neither of both', async () => {
    const { id } = await deploy(team)
    expect(await redeploy(id, page('more'))).toMatchObject({
      status: 400,
      body: { reason: 'invalid_input', issues: [{ path: 'files' }] },
    })
    expect(await team.owner('POST', '/v1/deployments', { project: 'web' })).toMatchObject({
      status: 400,
      body: { reason: 'invalid_input', issues: [{ path: 'files' }] },
    })
  })

  it('a deployment of another project, or of another team, as if there were none', async () => {
    const { id } = await deploy(team)
    const other = await newTeam(node)
    const theirs = await deploy(other)
    await team.owner('PUT', '/v1/projects/second')
    const answers = [
      await team.owner('POST', '/v1/deployments', { project: 'second', from: id }),
      await redeploy(theirs.id),
      await redeploy(unique('dpl')),
    ]
    for (const { status, body } of answers) {
      expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'deployment_not_found' })
    }
  })

  it('one that was built when sources were not kept', async () => {
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    const id = await insertDeployment(node, team, {
      state: 'ready',
      build: { ...project.build, build_command: 'make' },
    })
    expect(await redeploy(id)).toMatchObject({ status: 409, body: { reason: 'sources_gone' } })
  })

  it('one of whose files the bytes are lost', async () => {
    const content = randomUUID()
    const { id } = await deploy(team, page(content))
    const { store, blobs: objects } = node.installation
    const rows = await store.db.select().from(blobs).where(eq(blobs.teamId, team.id))
    for (const { object } of rows) await objects.remove(object)
    expect(await redeploy(id)).toMatchObject({ status: 409, body: { reason: 'sources_gone' } })
  })
})

describe('a record says by what it was made:', () => {
  it.each([
    ['the API, with the name of its key', 'curl/8.0', { kind: 'api', name: 'owner' }],
    ['the command, too', 'svc/1.2.3', { kind: 'command', name: 'owner' }],
  ])('%s', async (_, agent, source) => {
    await team.owner('PUT', '/v1/projects/web')
    const body = { project: 'web', ...page('hello') }
    const made = await team.owner('POST', '/v1/deployments', body, { 'user-agent': agent })
    expect(made.body).toMatchObject({ source, redeploy_of: null })
  })
})

describe('sources of somebody outside the team', () => {
  const untrusted = async () => {
    const made = await deploy(team)
    const { db } = node.installation.store
    await db.update(deployments).set({ untrusted: true }).where(eq(deployments.id, made.id))
    return made
  }

  it('are never promoted, nor deployed again', async () => {
    const { id } = await untrusted()
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.untrusted).toBe(true)
    const refused = { status: 409, body: { reason: 'untrusted' } }
    expect(await team.owner('POST', `/v1/deployments/${id}/promote`)).toMatchObject(refused)
    expect(await redeploy(id)).toMatchObject(refused)
    expect(await redeploy(id, { target: 'production' })).toMatchObject(refused)
  })

  it('are protected where the project protects nothing', async () => {
    const { url } = await untrusted()
    expect((await visit(url)).status).toBe(401)
    const trusted = await deploy(team)
    expect((await visit(trusted.url)).status).toBe(200)
  })
})
