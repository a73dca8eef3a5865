/**
 * What an edge has learned to be gone is not served again, even if the database goes away before it can read
 * what is there instead.
 * @module-tag long
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deploy } from '../../platform/deployments/steps.ts'
import { sendRequest } from '../../roles/edge/client.ts'
import { claim } from '../../support/claims.ts'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { type AwayEdge, startAwayEdge } from './away-edge.ts'

type Site = { team: TestTeam; project: string; host: string; preview: string }

describe.runIf(process.env.TEST_ON)('an edge whose database goes away right after', () => {
  let at: AwayEdge

  beforeAll(async () => {
    at = await startAwayEdge()
  })

  afterEach(() => at.restore())
  afterAll(() => at.stop())

  const visit = (host: string) => sendRequest(Number(new URL(at.edge.sitesUrl).port), host, '/', {})

  async function newSite(): Promise<Site> {
    const team = await newTeam(at.node)
    const project = unique('site')
    const { url } = await deploy(team, { project, target: 'production' })
    return { team, project, host: `${project}.localhost`, preview: new URL(url).hostname }
  }

  /** A domain of the project; one below another that is the team's needs no proof of its own. */
  async function newDomain({ team, project }: Site, below?: string): Promise<string> {
    const { body } = await team.owner('GET', `/v1/projects/${project}`)
    const name = below === undefined ? `${unique('shop')}.com` : `www.${below}`
    await claim(at.node, team, name, { proven: below === undefined, project: body.id })
    return name
  }

  const remove = async (team: TestTeam, path: string) =>
    expect((await team.owner('DELETE', path)).status).toBe(200)

  const cases: [string, (site: Site) => Promise<{ host: string; act: () => Promise<unknown> }>][] = [
    [
      'a project was deleted',
      async ({ team, project, host }) => ({ host, act: () => remove(team, `/v1/projects/${project}`) }),
    ],
    [
      'a project was protected',
      async ({ team, project, host }) => ({
        host,
        act: () => team.owner('PUT', `/v1/projects/${project}`, { protection: 'all' }),
      }),
    ],
    [
      'another deployment was promoted',
      async ({ team, project, host }) => ({
        host,
        act: () =>
          deploy(team, { project, target: 'production', files: [{ path: 'index.html', content: 'new' }] }),
      }),
    ],
    [
      'a deployment was deleted',
      async ({ team, project }) => {
        const { id, url } = await deploy(team, { project })
        return { host: new URL(url).hostname, act: () => remove(team, `/v1/deployments/${id}`) }
      },
    ],
    [
      'a domain was deleted',
      async (site) => {
        const host = await newDomain(site)
        return { host, act: () => remove(site.team, `/v1/domains/${host}`) }
      },
    ],
    [
      'a domain was detached from its project',
      async (site) => {
        const host = await newDomain(site)
        return { host, act: () => site.team.owner('PUT', `/v1/domains/${host}`, { project: null }) }
      },
    ],
    [
      'another team has proven a name below a domain',
      async (site) => {
        const host = await newDomain(site, await newDomain(site))
        const other = await newTeam(at.node)
        return { host, act: () => claim(at.node, other, host, { proven: true }) }
      },
    ],
    [
      'a team was deleted',
      async () => {
        const team = await newTeam(at.node)
        const host = `${unique('moved')}.com`
        await claim(at.node, team, host, { proven: true, redirect: { to: 'example.com', status: 308 } })
        return { host, act: () => remove(team, `/v1/teams/${team.slug}`) }
      },
    ],
  ]

  it.each(cases)('does not serve the old site again: %s', async (_, prepare) => {
    const { host, act } = await prepare(await newSite())
    await expect.poll(async () => (await visit(host)).status, { timeout: 5_000 }).toBeLessThan(400)
    await at.untilHeard(act)
    await at.proxy.cut()
    for (let i = 0; i < 3; i += 1) {
      const { status, text } = await visit(host)
      expect(text).not.toContain('hello')
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })
})
