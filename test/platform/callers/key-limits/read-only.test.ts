/** Read-only keys where there is no procedure, and where JWTs are enforced. */
import { beforeAll, expect, it } from 'vitest'
import { sendRequest } from '../../../roles/edge/client.ts'
import { apiOf } from '../../../support/api.ts'
import { enforcingNode, mint } from '../../../support/enforcing-node.ts'
import { openEvents } from '../../../support/event-stream.ts'
import { newLimitedKey } from '../../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'
import { newWorkTree } from '../../../support/work-tree.ts'
import { byDigest, deploy } from '../../deployments/steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const scope = { status: 403, body: { reason: 'scope' } }

it('pushes nothing, and is refused before git sends a pack', { timeout: 60_000 }, async () => {
  const team = await newTeam(node)
  await deploy(team)
  const { key } = await newLimitedKey(team, { read_only: true, role: 'owner' })
  const tree = await newWorkTree()
  await tree.commit({ 'index.html': 'pushed' })
  const remote = `${node.apiUrl.replace('//', `//x:${key}@`)}/git/${team.slug}/web.git`
  expect((await tree.git('push', remote, 'main')).said).toContain('read-only')
  const response = await fetch(`${node.apiUrl}/git/${team.slug}/web.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: '0000',
  })
  expect(response.status).toBe(403)
  expect((await team.owner('GET', '/v1/projects/web')).body.branches).toEqual([])
})

it('gets no upload URL, and no replay of what another credential has done', async () => {
  const team = await newTeam(node)
  await deploy(team)
  const api = apiOf(node, (await newLimitedKey(team, { read_only: true })).key)
  const files = [byDigest('index.html', unique('unsent'))]
  const refused = await api('POST', '/v1/deployments', { project: 'web', files })
  expect(refused).toMatchObject(scope)
  expect(JSON.stringify(refused.body)).not.toContain('upload')
  expect((await api('POST', '/trpc/deployments.missing', { project: 'web', files })).status).toBe(403)
  const headers = { 'idempotency-key': unique('same') }
  const body = { project: 'web', files: [{ path: 'index.html', content: 'hello' }] }
  expect((await team.owner('POST', '/v1/deployments', body, headers)).status).toBe(200)
  expect(await api('POST', '/v1/deployments', body, headers)).toMatchObject(scope)
})

it('reads: the team, streams, and protected sites', async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web', { protection: 'all' })
  const { url } = await deploy(team)
  const { key } = await newLimitedKey(team, { read_only: true })
  expect((await apiOf(node, key)('GET', '/v1/projects/web')).status).toBe(200)
  const headers = { authorization: `Bearer ${key}` }
  const stream = await openEvents(node, headers)
  await expect.poll(stream.types).toContain('connected')
  const { port } = new URL(node.sitesUrl)
  expect((await sendRequest(Number(port), new URL(url).host, '/', headers)).status).toBe(200)
})

it('mints a JWT, which is read-only, too', async () => {
  const enforcing = await enforcingNode()
  const team = await newTeam(enforcing)
  const { api: owner } = await mint(enforcing, team.ownerKey)
  await owner('PUT', '/v1/projects/web')
  const { key } = await newLimitedKey({ owner }, { read_only: true, role: 'owner' })
  const { api, token } = await mint(enforcing, key)
  expect((await api('GET', '/v1/projects/web')).status).toBe(200)
  expect(await api('PUT', '/v1/projects/web', { spa: true })).toMatchObject(scope)
  expect(await api('DELETE', '/v1/projects/web')).toMatchObject(scope)
  expect((await apiOf(enforcing, key)('PUT', '/v1/projects/web', {})).body.reason).toBe('jwt_required')
  expect((await apiOf(enforcing, token)('POST', '/v1/token')).body.reason).toBe('jwt_cannot_mint')
})
