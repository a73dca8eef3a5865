import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { wholeTeam } from '../../../src/platform/callers/scope.ts'
import { countOfTeam } from '../../../src/platform/observability/team-counts.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { deploy, insertDeployment } from '../../platform/deployments/steps.ts'
import { apiOf } from '../../support/api.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

const none = { queued: 0, building: 0, ready: 0, error: 0, canceled: 0 }

describe('the overview', () => {
  it('of a new team is all zeros, and has the caller', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('GET', '/v1/overview')
    expect(status).toBe(200)
    expect(body).toEqual({
      team: team.slug,
      plan: 'free',
      projects: 0,
      deployments: { total: 0, by_state: none },
      domains: { total: 0, verified: 0 },
      webhooks: 0,
      requests_24h: 0,
      bytes_24h: 0,
      errors_24h: 0,
      recent_deployments: [],
      credential: {
        kind: 'key',
        prefix: `${team.ownerKey.slice(0, 10)}…`,
        role: 'owner',
        expires_ms: null,
      },
      rate_limit: {
        per_second: expect.any(Number),
        burst: expect.any(Number),
        remaining: expect.any(Number),
      },
      storage: { used_bytes: 0, limit_bytes: null },
    })
  })

  it('has the same rate limit as the headers', async () => {
    const team = await newTeam(node)
    const { headers, body } = await team.owner('GET', '/v1/overview')
    const { perSecond, burst } = node.settings.SVC_RATE_FREE
    expect(body.rate_limit).toMatchObject({ per_second: perSecond, burst })
    expect(headers.get('ratelimit')).toContain(`;r=${body.rate_limit.remaining};`)
  })

  it('has the effective role for an owner’s member key', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    for (const api of [apiOf(node, key.token), (await addMember(node, team)).api]) {
      expect((await api('GET', '/v1/overview')).body.credential.role).toBe('member')
    }
  })

  it('counts projects, and deployments by state, after each change', async () => {
    const team = await newTeam(node)
    const overview = async () => (await team.owner('GET', '/v1/overview')).body
    await team.owner('PUT', '/v1/projects/docs')
    const one = await deploy(team)
    await deploy(team)
    const queued = await insertDeployment(node, team)
    await insertDeployment(node, team, { state: 'error' })
    expect(await overview()).toMatchObject({
      projects: 2,
      deployments: { total: 4, by_state: { ...none, ready: 2, queued: 1, error: 1 } },
    })
    await team.owner('DELETE', `/v1/deployments/${queued}`)
    await team.owner('DELETE', `/v1/deployments/${one.id}`)
    expect((await overview()).deployments).toEqual({
      total: 3,
      by_state: { ...none, ready: 1, canceled: 1, error: 1 },
    })
  })

  it('counts domains, and how many of them are verified', async () => {
    const team = await newTeam(node)
    const top = `${unique('counted')}.com`
    await claim(node, team, top, { proven: true })
    for (const name of [`www.${top}`, `${unique('pending')}.com`])
      await team.owner('PUT', `/v1/domains/${name}`)
    await claim(node, await newTeam(node), `theirs.${top}`, { proven: true })
    const { body } = await team.owner('GET', '/v1/overview')
    expect(body.domains).toEqual({ total: 3, verified: 2 })
  })

  it('has the newest five deployments as a list does', async () => {
    const team = await newTeam(node)
    for (let i = 0; i < 6; i += 1) await deploy(team)
    const { body: list } = await team.owner('GET', '/v1/deployments?limit=5')
    expect((await team.owner('GET', '/v1/overview')).body.recent_deployments).toEqual(list.data)
  })

  it('accepts no parameters', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('GET', '/v1/overview?team=other')
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'team' }])
  })
})

describe('more than a thousand deployments in a state', () => {
  it('are counted once a minute, those in other states each time', async () => {
    const team = await newTeam(node)
    const count = () => countOfTeam(store, wholeTeam(team.id))
    await insertDeployment(node, team, { state: 'ready' })
    const copy = (copies: number) =>
      store.db.execute(sql`
        insert into deployments (id, team_id, project_id, host, target, state, build, meta, files, bytes,
          created_by, created_ms)
        select id || i, team_id, project_id, host, target, state, build, meta, files, bytes, created_by,
          created_ms + i
        from deployments, generate_series(1, ${copies}::int) as i
        where team_id = ${team.id} and state = 'ready' order by created_ms limit ${copies}`)
    await copy(999)
    expect(await count()).toMatchObject({ ...none, ready: 1_000 })
    await insertDeployment(node, team, { state: 'ready' })
    await insertDeployment(node, team, { state: 'ready' })
    expect(await count()).toMatchObject({ ...none, ready: 1_002 })
    await insertDeployment(node, team, { state: 'ready' })
    await insertDeployment(node, team, { state: 'building' })
    expect(await count()).toMatchObject({ ...none, ready: 1_002, building: 1 })
    await store.db.execute(sql`
      delete from deployments where id in (
        select id from deployments where team_id = ${team.id} and state = 'ready' order by created_ms desc
        limit 100)`)
    expect(await count()).toMatchObject({ ...none, ready: 1_002, building: 1 })
  })
})
