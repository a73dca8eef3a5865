/** A signed-in person's rate limit, beside that of the team. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jwtSecret, mint } from '../../support/enforcing-node.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startTestNode({
    SVC_RATE_FREE: '1/10',
    SVC_RATE_SESSION: '1/20',
    SVC_JWT_SECRET: jwtSecret,
    SVC_ROLES: 'api,edge',
  })
  team = await newTeam(node, { personal: true })
})

afterAll(() => node.stop())

it('is one for the session and for JWTs minted with it, and leaves the team’s to its keys', async () => {
  const { api, token } = await newSession(node, team.ownerId)
  expect((await api('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"session";r=19;t=1')
  const jwt = await mint(node, token)
  expect((await jwt.api('GET', '/v1/projects')).headers.get('ratelimit')).toMatch(/^"session";r=1[78];/)
  expect((await team.owner('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"free";r=9;t=1')
})

it('is not for JWTs that a key minted', async () => {
  const other = await newTeam(node)
  const { api } = await mint(node, other.ownerKey)
  expect((await api('GET', '/v1/projects')).headers.get('ratelimit-policy')).toBe('"free";q=10;w=10')
})

it('is of the person: shared by all sessions, and not with another member', async () => {
  const member = await addMember(node, team)
  const [one, two] = [await newSession(node, member.userId), await newSession(node, member.userId)]
  await one.api('GET', '/v1/projects')
  expect((await two.api('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"session";r=18;t=2')
  const another = await newSession(node, (await addMember(node, team)).userId)
  expect((await another.api('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"session";r=19;t=1')
})

it('is what the overview reports', async () => {
  const { userId } = await addMember(node, team)
  const { body } = await (await newSession(node, userId)).api('GET', '/v1/overview')
  expect(body.rate_limit).toEqual({ per_second: 1, burst: 20, remaining: 19 })
})

it('refuses beyond it, in words about the person', async () => {
  const { userId } = await addMember(node, team)
  const { api } = await newSession(node, userId)
  const responses = await Promise.all(Array.from({ length: 30 }, () => api('GET', '/v1/projects')))
  const refused = responses.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({
    reason: 'rate_limited',
    message: expect.stringContaining('A signed-in person may make 1 requests per second, in bursts of 20.'),
  })
})
