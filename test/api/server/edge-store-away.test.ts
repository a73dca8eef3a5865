/** An edge whose database is away goes on serving the sites that it knows. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { sendRequest } from '../../roles/edge/client.ts'
import { claim } from '../../support/claims.ts'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { type AwayEdge, startAwayEdge } from './away-edge.ts'

// The embedded database is never away.
describe.runIf(process.env.TEST_ON)('an edge of its own', () => {
  let at: AwayEdge
  let team: TestTeam

  beforeAll(async () => {
    at = await startAwayEdge()
    team = await newTeam(at.node)
  })

  afterEach(() => at.restore())
  afterAll(() => at.stop())

  const put = (project: string, content: string, fields = {}) =>
    deploy(team, { project, target: 'production', files: [{ path: 'index.html', content }], ...fields })

  const page = (project: string, path = '/') => visit(at.edge.sitesUrl.replace('//', `//${project}.`), path)

  const isAway = () =>
    expect.poll(at.readiness, { timeout: 10_000 }).toEqual({ status: 200, degraded: ['database'] })

  it.each([
    ['refuses connections', () => at.proxy.cut()],
    ['does not respond', async () => at.proxy.hang()],
  ])('serves what it knows while the database %s, and what is new once that is back', async (_, lose) => {
    const [known, unknown] = [unique('known'), unique('unknown')]
    await put(unknown, 'never visited')
    await at.untilHeard(() => put(known, 'old'))
    expect(await page(known)).toEqual({ status: 200, body: 'old' })
    await lose()
    await isAway()
    await put(known, 'new')
    for (let i = 0; i < 20; i += 1) expect(await page(known)).toEqual({ status: 200, body: 'old' })
    expect((await page(unknown)).status).toBe(503)
    await at.restore()
    await expect.poll(() => page(known), { timeout: 5_000 }).toEqual({ status: 200, body: 'new' })
    expect(await page(unknown)).toEqual({ status: 200, body: 'never visited' })
  })

  it('keeps protected sites closed, also to valid credentials, which it can’t check', {
    tags: 'long',
  }, async () => {
    const site = unique('protected')
    await put(site, 'inside')
    expect((await team.owner('PUT', `/v1/projects/${site}`, { protection: 'all' })).status).toBe(200)
    const host = `${site}.localhost`
    const visitWith = async (headers: Record<string, string>, path = '/') =>
      (await sendRequest(Number(new URL(at.edge.sitesUrl).port), host, path, headers)).status
    const key = { authorization: `Bearer ${team.ownerKey}` }
    expect(await visitWith(key)).toBe(200)
    expect(await visitWith({})).toBe(401)
    await at.proxy.cut()
    await isAway()
    // Permissions are remembered for less than a second.
    await expect.poll(() => visitWith(key), { timeout: 5_000 }).toBe(503)
    expect(await visitWith({})).toBe(401)
    expect(await visitWith({ authorization: `Bearer ${(await newTeam(at.node)).ownerKey}` })).toBe(503)
    expect(await visitWith({ cookie: 'svc_bypass=wrong' })).toBe(401)
  })

  it('goes on redirecting domains', async () => {
    const name = `${unique('moved')}.com`
    const redirect = { to: 'example.com', status: 308 }
    await at.untilHeard(() => claim(at.node, team, name, { proven: true, redirect }))
    const status = async () =>
      (await sendRequest(Number(new URL(at.edge.sitesUrl).port), name, '/', {})).status
    await expect.poll(status).toBe(308)
    await at.proxy.cut()
    await isAway()
    expect(await status()).toBe(308)
  })

  it('serves the files of large sites that it has looked up', { tags: 'long' }, async () => {
    const site = unique('large')
    const files = Array.from({ length: 2_100 }, (_, index) => ({ path: `${index}.txt`, content: 'same' }))
    await at.untilHeard(() => put(site, '', { files }))
    expect((await page(site, '/1.txt')).body).toBe('same')
    await at.proxy.cut()
    await isAway()
    expect((await page(site, '/1.txt')).body).toBe('same')
    expect((await page(site, '/2.txt')).status).toBe(503)
  })
})
