import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { apiOf } from '../../support/api.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

// The embedded database has only one node.
describe.runIf(process.env.TEST_ON)('two nodes on one database', () => {
  let one: TestNode
  let other: TestNode
  let team: TestTeam

  beforeAll(async () => {
    one = await startOwnNode()
    other = await startTestNode({ SVC_ROLES: 'api', DATABASE_URL: String(one.settings.DATABASE_URL) })
    team = await newTeam(one)
  })

  afterAll(async () => {
    await other.stop()
    await one.stop()
  })

  it('create one API key from 50 requests with the same Idempotency-Key, sent to both', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const apis = [team.owner, apiOf(other, team.ownerKey)]
    const all = () =>
      Promise.all(
        Array.from({ length: 50 }, (_, i) => apis[i % 2]?.('POST', '/v1/apikeys', { name: 'ci' }, headers)),
      )
    const answers = await all()
    const made = answers.flatMap((answer) => (answer?.body.token ? [answer.body] : []))
    expect(made).toHaveLength(1)
    for (const answer of answers) {
      if (answer?.status !== 200) expect(answer?.body.reason).toBe('idempotency_in_progress')
    }
    const { token: _token, ...record } = made[0]
    for (const answer of await all()) expect(answer).toMatchObject({ status: 200, body: record })
    const { body: keys } = await team.owner('GET', '/v1/apikeys')
    expect(keys.data.filter(({ name }: { name: string }) => name === 'ci')).toHaveLength(1)
  })

  it('a node whose clock is ahead takes over a claim early, and one effect remains', async () => {
    await team.owner('PUT', '/v1/projects/web')
    other.clock.aheadMs = 5 * 60_000
    const headers = { 'idempotency-key': randomUUID() }
    const body = { project: 'web', files: [{ path: 'index.html', content: 'Hello' }] }
    const send = (api: typeof team.owner) => api('POST', '/v1/deployments', body, headers)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => send(i % 2 ? team.owner : apiOf(other, team.ownerKey))),
    )
    const { body: last } = await send(team.owner)
    const { body: list } = await team.owner('GET', '/v1/deployments')
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual([last.id])
  })
})
