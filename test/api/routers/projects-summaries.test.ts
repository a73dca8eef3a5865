/** What a client gets that reads the summaries of projects. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient, type RouterInputs } from '../../../src/api/client/index.ts'
import { deploy, insertDeployment } from '../../platform/deployments/steps.ts'
import { count, hourMs, minuteMs, sumUpAll } from '../../platform/observability/metrics/counting.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const summariesOf = ({ ownerKey }: TestTeam, input: RouterInputs['projects']['summaries'] = {}) =>
  createClient({ url: node.apiUrl, token: ownerKey }).projects.summaries.query(input)

const noHours = Array.from({ length: 24 }, () => 0)

describe('the summaries of projects', () => {
  it('of a project without deployments have neither a live nor a latest one', async () => {
    const team = await newTeam(node)
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    expect(await summariesOf(team)).toEqual({
      data: [
        {
          id: project.id,
          name: 'web',
          production_url: project.production_url,
          domains: [],
          live: null,
          latest: null,
          requests_24h: 0,
          errors_24h: 0,
          requests_by_hour: noHours,
        },
      ],
      next_cursor: null,
    })
  })

  it('have the live deployment and, apart from it, the newest', async () => {
    const team = await newTeam(node)
    const live = await deploy(team, { target: 'production', meta: { branch: 'main' } })
    const failed = await insertDeployment(node, team, {
      state: 'error',
      errorReason: 'build_failed',
      errorMessage: 'Exit code 1.',
      meta: { branch: 'fix' },
      createdMs: live.created_ms + 1,
    })
    const { data } = await summariesOf(team)
    expect(data).toMatchObject([
      {
        live: {
          id: live.id,
          created_ms: live.created_ms,
          live_since_ms: live.live_since_ms,
          meta: { branch: 'main' },
        },
        latest: {
          id: failed,
          state: 'error',
          target: 'preview',
          created_ms: live.created_ms + 1,
          meta: { branch: 'fix' },
          error: { reason: 'build_failed', message: 'Exit code 1.' },
        },
      },
    ])
  })

  it('have the domains that serve the production, but none that is unproven or redirects', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const domain = `${unique('shop')}.com`
    await claim(node, team, domain, { proven: true })
    await team.owner('PUT', `/v1/domains/${domain}`, { project: 'web' })
    await team.owner('PUT', `/v1/domains/${unique('unproven')}.com`, { project: 'web' })
    expect((await summariesOf(team)).data).toMatchObject([{ domains: [domain] }])
  })

  it('count the requests and errors of the last 24 hours, summed up or not', async () => {
    const team = await newTeam(node)
    const { body: web } = await team.owner('PUT', '/v1/projects/web')
    const { body: api } = await team.owner('PUT', '/v1/projects/api')
    const nowMs = Date.now()
    const times = [nowMs - 25 * hourMs, nowMs - 24 * hourMs + 5 * minuteMs, nowMs - 5 * hourMs]
    await count(
      node,
      { id: team.id, projectId: web.id },
      times.map((endedMs) => ({ endedMs })),
    )
    await sumUpAll(node)
    await count(node, { id: team.id, projectId: web.id }, [
      { endedMs: nowMs - 5 * hourMs, status: 500 },
      { endedMs: nowMs },
    ])
    await count(node, { id: team.id, projectId: api.id }, [{ endedMs: nowMs }])
    const { data } = await summariesOf(team)
    const first = data.find(({ name }) => name === 'web')
    expect(first).toMatchObject({ requests_24h: 4, errors_24h: 1 })
    const counted = [...times, nowMs - 5 * hourMs, nowMs]
    const hoursBefore = (ms: number) =>
      counted.map((time) => Math.floor(ms / hourMs) - Math.floor(time / hourMs))
    // An hour of the clock may end in between.
    const possible = [nowMs, Date.now()].map((ms) =>
      noHours.map((_, at) => hoursBefore(ms).filter((hours) => hours === 23 - at).length),
    )
    expect(possible).toContainEqual(first?.requests_by_hour)
    expect(data.find(({ name }) => name === 'api')).toMatchObject({ requests_24h: 1, errors_24h: 0 })
  })

  it('come by name, in pages and filtered', async () => {
    const team = await newTeam(node)
    for (const name of ['zoo', 'shop', 'my-shop']) await team.owner('PUT', `/v1/projects/${name}`)
    const names = async (input: RouterInputs['projects']['summaries']) => {
      const { data, next_cursor } = await summariesOf(team, input)
      return { names: data.map(({ name }) => name), cursor: next_cursor ?? undefined }
    }
    const first = await names({ limit: 2 })
    expect(first.names).toEqual(['my-shop', 'shop'])
    expect(await names({ limit: 2, cursor: first.cursor })).toEqual({ names: ['zoo'], cursor: undefined })
    expect((await names({ q: 'SHOP' })).names).toEqual(['my-shop', 'shop'])
    expect((await names({ q: 'shop', sort: 'activity' })).names).toEqual(['my-shop', 'shop'])
  })

  it('come with the latest deployed first, in pages', async () => {
    const team = await newTeam(node)
    for (const name of ['a', 'b', 'c', 'd']) await team.owner('PUT', `/v1/projects/${name}`)
    const page = async (cursor?: string) => {
      const { data, next_cursor } = await summariesOf(team, { sort: 'activity', limit: 3, cursor })
      return { names: data.map(({ name }) => name), cursor: next_cursor ?? undefined }
    }
    await deploy(team, { project: 'a' })
    await deploy(team, { project: 'c', build: { build_command: 'true' } })
    expect((await page()).names).toEqual(['c', 'a', 'd'])
    await deploy(team, { project: 'b', target: 'production' })
    const first = await page()
    expect(first.names).toEqual(['b', 'c', 'a'])
    expect(await page(first.cursor)).toEqual({ names: ['d'], cursor: undefined })
    // A change of settings is none of the site.
    await team.owner('PUT', '/v1/projects/d', { spa: true })
    expect((await page()).names).toEqual(['b', 'c', 'a'])
  })
})
