/** The team's own credentials grant access to its protected deployments. */
import { beforeAll, expect, it } from 'vitest'
import { sendRequest } from '../../roles/edge/client.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { enforcingNode, mint } from '../../support/enforcing-node.ts'
import { limitMember } from '../../support/limits.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let jwt: string
let api: Api
let site: string
const project = unique('site')

beforeAll(async () => {
  node = await enforcingNode()
  team = await newTeam(node)
  const minted = await mint(node, team.ownerKey)
  jwt = minted.token
  api = minted.api
  await api('PUT', `/v1/projects/${project}`, { protection: 'all' })
  const files = [{ path: 'index.html', content: 'inside' }]
  const { body } = await api('POST', '/v1/deployments', { project, files })
  site = body.url
})

async function visit(token: string): Promise<number> {
  const { hostname, host } = new URL(site)
  const port = new URL(node.sitesUrl).port
  const { status } = await sendRequest(Number(port), host || hostname, '/', {
    authorization: `Bearer ${token}`,
  })
  return status
}

it('by a key, and by a JWT minted with it', async () => {
  expect(await visit(team.ownerKey)).toBe(200)
  expect(await visit(jwt)).toBe(200)
})

it("not with another team's key, a session, or an unknown user's JWT", async () => {
  const other = await newTeam(node)
  const session = await newSession(node, team.ownerId)
  expect(await visit(other.ownerKey)).toBe(401)
  expect(await visit((await mint(node, other.ownerKey)).token)).toBe(401)
  expect(await visit(session.token)).toBe(401)
  expect(await visit(`${jwt.slice(0, -43)}${'A'.repeat(43)}`)).toBe(401)
})

it('no longer once the key is revoked', async () => {
  const { body: key } = await api('POST', '/v1/apikeys', { name: 'viewer' })
  const viewer = await mint(node, key.token)
  expect(await visit(viewer.token)).toBe(200)
  await api('DELETE', `/v1/apikeys/${key.id}`)
  expect(await visit(viewer.token)).toBe(401)
  expect((await apiOf(node, key.token)('GET', '/v1/projects')).status).toBe(401)
})

it('of a limited member only to its own projects, from the moment of the limit', async () => {
  const { body } = await api('GET', `/v1/projects/${project}`)
  const { userId, key } = await addMember(node, team)
  expect(await visit(key)).toBe(200)
  await limitMember(node, team, userId, [])
  expect(await visit(key)).toBe(401)
  await limitMember(node, team, userId, [body.id])
  expect(await visit(key)).toBe(200)
})
