import { beforeAll, describe, expect, it } from 'vitest'
import { deploy, insertDeployment, visit } from '../../platform/deployments/steps.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const page = (content: string) => ({ files: [{ path: 'index.html', content }] })
const promote = (team: TestTeam, id: string) => team.owner('POST', `/v1/deployments/${id}/promote`)
const get = async (team: TestTeam, id: string) => (await team.owner('GET', `/v1/deployments/${id}`)).body
const production = async (team: TestTeam) => (await team.owner('GET', '/v1/projects/web')).body

/** The response to visitors of the production host. */
async function seen(team: TestTeam): Promise<string> {
  const { body } = await visit((await production(team)).production_url)
  return body
}

describe('a deployment for production', () => {
  it('becomes live automatically', async () => {
    const team = await newTeam(node)
    const deployment = await deploy(team, { target: 'production', ...page('one') })
    const project = await production(team)
    expect(deployment).toMatchObject({
      target: 'production',
      live: true,
      live_since_ms: deployment.created_ms,
      rollback_candidate: false,
      aliases: [project.production_url],
    })
    expect(project.production_deployment).toBe(deployment.id)
    expect(await seen(team)).toBe('one')
  })

  it("has its project's verified domains, in every response, as long as it is live", async () => {
    const team = await newTeam(node)
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    const top = `${unique('alias')}.com`
    const { port } = new URL(project.production_url)
    await claim(node, team, top, { proven: true, project: project.id })
    await claim(node, team, `www.${top}`, { project: project.id })
    await claim(node, team, `old.${top}`, { project: project.id, redirect: { to: top, status: 308 } })
    await claim(node, team, `${unique('pending')}.com`, { project: project.id })
    await claim(node, team, `other.${top}`)
    const aliases = [project.production_url, `http://${top}:${port}`, `http://www.${top}:${port}`]

    const first = await deploy(team, { target: 'production' })
    expect(first.aliases).toEqual(aliases)
    const second = await deploy(team, { target: 'production' })
    expect([(await get(team, first.id)).aliases, (await get(team, second.id)).aliases]).toEqual([[], aliases])
    expect((await promote(team, first.id)).body.aliases).toEqual(aliases)
    const { body } = await team.owner('GET', '/v1/deployments')
    expect(body.data.map(({ aliases }: { aliases: string[] }) => aliases)).toEqual([[], aliases])
  })

  it('takes over from the previous one on the very next visit', async () => {
    const team = await newTeam(node)
    const first = await deploy(team, { target: 'production', ...page('one') })
    expect(await seen(team)).toBe('one')
    await deploy(team, { target: 'production', ...page('two') })
    expect(await seen(team)).toBe('two')
    expect(await get(team, first.id)).toMatchObject({
      live: false,
      live_since_ms: first.live_since_ms,
      rollback_candidate: true,
      aliases: [],
    })
    expect((await visit(first.url)).body).toBe('one')
  })

  it('waits for a manual promote when auto_promote is off', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', { auto_promote: false })
    const deployment = await deploy(team, { target: 'production', ...page('one') })
    expect(deployment).toMatchObject({ live: false, live_since_ms: null, rollback_candidate: false })
    expect((await visit((await production(team)).production_url)).status).toBe(404)
    expect((await promote(team, deployment.id)).body.live).toBe(true)
    expect(await seen(team)).toBe('one')
  })

  it('becomes live also after a rollback before it was created', async () => {
    const team = await newTeam(node)
    const first = await deploy(team, { target: 'production', ...page('one') })
    await deploy(team, { target: 'production', ...page('two') })
    await promote(team, first.id)
    await deploy(team, { target: 'production', ...page('three') })
    expect(await seen(team)).toBe('three')
  })

  it('leaves one of many concurrent ones live: the newest', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const create = () =>
      team.owner('POST', '/v1/deployments', { project: 'web', target: 'production', ...page('x') })
    const made = await Promise.all(Array.from({ length: 6 }, create))
    const { body } = await team.owner('GET', '/v1/deployments')
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const live = body.data.filter((deployment: { live: boolean }) => deployment.live)
    expect(live).toHaveLength(1)
    expect(live[0].id).toBe(body.data[0].id)
  })
})

describe('a preview', () => {
  it('never becomes live automatically', async () => {
    const team = await newTeam(node)
    expect(await deploy(team)).toMatchObject({ target: 'preview', live: false, rollback_candidate: false })
    expect((await production(team)).production_deployment).toBeNull()
  })

  it('becomes live when it is promoted', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team, page('preview'))
    const { status, body } = await promote(team, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, target: 'preview', live: true })
    expect(body.live_since_ms).toBeGreaterThanOrEqual(body.created_ms)
    expect(await seen(team)).toBe('preview')
  })
})

describe('POST /v1/deployments/{deployment}/promote', () => {
  it('rolls back to an older one at once, and forward again', async () => {
    const team = await newTeam(node)
    const first = await deploy(team, { target: 'production', ...page('one') })
    const second = await deploy(team, { target: 'production', ...page('two') })
    for (const [id, text, other] of [
      [first.id, 'one', second.id],
      [second.id, 'two', first.id],
    ]) {
      expect((await promote(team, id)).body).toMatchObject({ id, live: true, rollback_candidate: false })
      expect(await seen(team)).toBe(text)
      expect(await get(team, other)).toMatchObject({ live: false, rollback_candidate: true })
    }
  })

  it('changes nothing for the one that is live already', async () => {
    const team = await newTeam(node)
    const deployment = await deploy(team, { target: 'production' })
    const before = await production(team)
    const { status, body } = await promote(team, deployment.id)
    expect(status).toBe(200)
    expect(body).toEqual(deployment)
    expect(await production(team)).toEqual(before)
  })

  it('accepts an empty body or an empty object, and no field', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    expect((await promote(team, id)).status).toBe(200)
    expect((await team.owner('POST', `/v1/deployments/${id}/promote`, {})).status).toBe(200)
    const { status, body } = await team.owner('POST', `/v1/deployments/${id}/promote`, { force: true })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'force' }])
  })

  it('is allowed to members', async () => {
    const team = await newTeam(node)
    const { api } = await addMember(node, team)
    const { id } = await deploy(team)
    expect((await api('POST', `/v1/deployments/${id}/promote`)).status).toBe(200)
  })

  it.each(['queued', 'building', 'error', 'canceled'] as const)(
    '409 not_ready for one that is %s',
    async (state) => {
      const team = await newTeam(node)
      const id = await insertDeployment(node, team, { state })
      const { status, body } = await promote(team, id)
      expect(status).toBe(409)
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'not_ready' })
      expect(body.message).toContain(state)
      expect((await production(team)).production_deployment).toBeNull()
    },
  )

  it('makes exactly one of two live that are promoted at once', async () => {
    const team = await newTeam(node)
    const made = [await deploy(team, page('one')), await deploy(team, page('two'))]
    const answers = await Promise.all(made.map(({ id }) => promote(team, id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const after = await Promise.all(made.map(({ id }) => get(team, id)))
    expect(after.filter(({ live }) => live)).toHaveLength(1)
    expect(after.find(({ live }) => live)?.id).toBe((await production(team)).production_deployment)
  })
})
