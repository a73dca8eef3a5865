/** Keys of some projects: wherever they are used, the rest of the team isn't there. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sendRequest } from '../../../roles/edge/client.ts'
import { type Api, apiOf } from '../../../support/api.ts'
import { enforcingNode, mint } from '../../../support/enforcing-node.ts'
import { openEvents } from '../../../support/event-stream.ts'
import { limitMember, newLimitedKey } from '../../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree } from '../../../support/work-tree.ts'
import { byDigest, deploy, upload } from '../../deployments/steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

type Scene = {
  team: TestTeam
  seen: { id: string; name: string }
  hidden: { id: string; name: string }
  /** Of the owner, limited to the first. */
  key: string
  api: Api
}

async function newScene(): Promise<Scene> {
  const team = await newTeam(node)
  const [{ body: seen }, { body: hidden }] = await Promise.all([
    team.owner('PUT', `/v1/projects/${unique('seen')}`),
    team.owner('PUT', `/v1/projects/${unique('hidden')}`),
  ])
  const { key } = await newLimitedKey(team, { projects: [seen.id] })
  return { team, seen, hidden, key, api: apiOf(node, key) }
}

const files = [{ path: 'index.html', content: 'hello' }]

describe('a key of one project', () => {
  it('deploys to that one, which it neither renames nor deletes, and sees no other', async () => {
    const { seen, hidden, api } = await newScene()
    expect((await api('POST', '/v1/deployments', { project: seen.name, files })).status).toBe(200)
    const refusals = [
      await api('PUT', `/v1/projects/${seen.id}`, { name: unique('renamed') }),
      await api('DELETE', `/v1/projects/${seen.id}`),
      await api('PUT', `/v1/projects/${unique('new')}`, {}),
      await api('POST', '/v1/deployments', { project: hidden.id, files }),
      await api('GET', `/v1/projects/${hidden.name}`),
    ]
    expect(refusals.map(({ body }) => body.reason)).toEqual([
      'role_required',
      'role_required',
      'project_not_found',
      'project_not_found',
      'project_not_found',
    ])
    expect((await api('GET', '/v1/projects')).body.data).toMatchObject([{ id: seen.id }])
  })

  it('has a team without the other members, which it does not configure', async () => {
    const { team, api } = await newScene()
    await addMember(node, team)
    const { body } = await api('GET', `/v1/teams/${team.id}`)
    expect(body).toMatchObject({ limited: true, role: 'member' })
    expect(body.members).toHaveLength(1)
    expect((await api('GET', '/v1/teams')).body.data).toMatchObject([{ id: team.id, limited: true }])
    expect((await api('PUT', `/v1/teams/${team.id}`, { name: 'x' })).status).toBe(403)
    expect((await team.owner('GET', `/v1/teams/${team.id}`)).body).toMatchObject({ limited: false })
  })

  it('keeps its limit when the project is deleted, and sees none then', async () => {
    const { team, seen, hidden, api } = await newScene()
    expect((await team.owner('DELETE', `/v1/projects/${seen.id}`)).status).toBe(200)
    const { body: again } = await team.owner('PUT', `/v1/projects/${seen.name}`)
    expect((await api('GET', '/v1/projects')).body.data).toEqual([])
    for (const reference of [seen.id, again.id, seen.name, hidden.id])
      expect((await api('GET', `/v1/projects/${reference}`)).status).toBe(404)
    const listed = await team.owner('GET', '/trpc/tokens.keyDetails?input=%7B%7D')
    expect(listed.body.result.data.data[0].projects).toEqual([])
  })

  it('has what both it and its maker see, as that is now', async () => {
    const { team, seen, hidden } = await newScene()
    const maker = await addMember(node, team)
    const { key } = await newLimitedKey({ owner: maker.api }, { projects: [seen.id, hidden.id] })
    const names = async () => {
      const { body } = await apiOf(node, key)('GET', '/v1/projects')
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect((await names()).toSorted()).toEqual([seen.id, hidden.id].toSorted())
    await limitMember(node, team, maker.userId, [hidden.id])
    expect(await names()).toEqual([hidden.id])
    await limitMember(node, team, maker.userId, [])
    expect(await names()).toEqual([])
  })

  it('gets no replay of what another credential of its maker was answered', async () => {
    const { team, seen, hidden, api } = await newScene()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { project: hidden.name, files }
    expect((await team.owner('POST', '/v1/deployments', body, headers)).status).toBe(200)
    expect((await api('POST', '/v1/deployments', body, headers)).body.reason).toBe('deployment_not_found')
    const own = { project: seen.name, files }
    const first = await api('POST', '/v1/deployments', own, { 'idempotency-key': randomUUID() })
    expect(first.status).toBe(200)
  })

  it('has no stream of events of others', async () => {
    const { team, seen, hidden, key } = await newScene()
    const stream = await openEvents(node, { authorization: `Bearer ${key}` })
    await expect.poll(stream.types).toContain('connected')
    await deploy(team, { project: hidden.name })
    await deploy(team, { project: seen.name })
    await expect.poll(stream.types, { timeout: 5_000, interval: 20 }).toContain('deployment.ready')
    expect(JSON.stringify(stream.received)).not.toContain(hidden.id)
  })

  it('copies and compares no deployment of another project', async () => {
    const { team, seen, hidden, api } = await newScene()
    const [own, other] = [
      await deploy(team, { project: seen.name }),
      await deploy(team, { project: hidden.name }),
    ]
    const from = await api('POST', '/v1/deployments', { project: seen.name, from: other.id })
    expect(from.body.reason).toBe('deployment_not_found')
    const query = encodeURIComponent(JSON.stringify({ deployment: own.id, with: other.id }))
    expect((await api('GET', `/trpc/deployments.compare?input=${query}`)).status).toBe(404)
  })

  it('must send bytes that another project has, though another key of its maker has sent them', async () => {
    const { team, seen, hidden, api } = await newScene()
    const elsewhere = apiOf(node, (await newLimitedKey(team, { projects: [hidden.id] })).key)
    const secret = unique('secret')
    const named = [byDigest('a', secret)]
    const refused = await elsewhere('POST', '/v1/deployments', { project: hidden.name, files: named })
    expect((await upload(refused.body.missing[0].upload_url, secret)).status).toBe(200)
    const sent = await elsewhere('POST', '/v1/deployments', { project: hidden.name, files: named })
    expect(sent.status).toBe(200)
    const wanted = { project: seen.name, files: named }
    const missing = await api('POST', '/v1/deployments', wanted)
    expect(missing.body.reason).toBe('files_missing')
    expect((await upload(missing.body.missing[0].upload_url, secret)).status).toBe(200)
    expect((await api('POST', '/v1/deployments', wanted)).status).toBe(200)
  })

  it('opens the protected site of that project alone', async () => {
    const { team, seen, hidden, key } = await newScene()
    const visit = async ({ name }: { name: string }) => {
      await team.owner('PUT', `/v1/projects/${name}`, { protection: 'all' })
      const { url } = await deploy(team, { project: name })
      const { port } = new URL(node.sitesUrl)
      const headers = { authorization: `Bearer ${key}` }
      return (await sendRequest(Number(port), new URL(url).host, '/', headers)).status
    }
    expect([await visit(seen), await visit(hidden)]).toEqual([200, 401])
  })

  it('pushes to that project alone', { timeout: 60_000 }, async () => {
    vi.setConfig({ testTimeout: 60_000 })
    const { team, seen, hidden, key } = await newScene()
    const tree = await newWorkTree()
    await tree.commit({ 'index.html': 'pushed' })
    const push = (project: string) =>
      tree.git('push', `${node.apiUrl.replace('//', `//x:${key}@`)}/git/${team.slug}/${project}.git`, 'main')
    expect((await push(hidden.name)).said).toContain('not found')
    expect((await push(unique('new'))).said).toContain('not found')
    expect((await push(seen.name)).said).toContain('main -> main')
  })
})

it('a JWT that it minted has the same limit', async () => {
  const enforcing = await enforcingNode()
  const team = await newTeam(enforcing)
  const { api: owner } = await mint(enforcing, team.ownerKey)
  const [{ body: seen }, { body: hidden }] = [
    await owner('PUT', `/v1/projects/${unique('seen')}`),
    await owner('PUT', `/v1/projects/${unique('hidden')}`),
  ]
  const { key, id } = await newLimitedKey({ owner }, { projects: [seen.id] })
  const { api } = await mint(enforcing, key)
  expect((await api('GET', '/v1/projects')).body.data).toMatchObject([{ id: seen.id }])
  expect((await api('POST', '/v1/deployments', { project: seen.name, files })).status).toBe(200)
  expect((await api('POST', '/v1/deployments', { project: hidden.name, files })).status).toBe(404)
  expect((await api('POST', '/v1/apikeys', { name: 'free' })).body.reason).toBe('scope')
  expect((await owner('DELETE', `/v1/apikeys/${id}`)).status).toBe(200)
  expect((await api('GET', '/v1/projects')).status).toBe(401)
})
