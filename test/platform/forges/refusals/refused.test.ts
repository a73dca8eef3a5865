/** What is refused at a project's hook: who pays for it, and who reads of it. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type RouterOutputs } from '../../../../src/api/client/index.ts'
import { createRefusalCounter } from '../../../../src/platform/forges/refusals/count.ts'
import { knowSecret } from '../../../support/kept-logs.ts'
import { addLimited } from '../../../support/limits.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'
import { type Connected, connect, pushOf, send } from '../steps.ts'

const repository = { url: 'https://github.com/acme/web.git' }
const addressBurst = 5
const projectBurst = 80

let node: TestNode
let site: Site

/** As if the forge were there; nothing is fetched. */
type Site = Omit<Connected, 'forge'>

beforeAll(async () => {
  node = await startTestNode({
    SVC_ROLES: 'api',
    SVC_TRUSTED_PROXIES: 'loopback',
    SVC_RATE_ANONYMOUS: `1/${addressBurst}`,
    SVC_RATE_FREE: `1/${projectBurst}`,
  })
})
afterAll(() => node?.stop())

beforeEach(async () => {
  site = await connected()
})

let last = 0

/** An address that no other test calls from. */
function newAddress(): string {
  last += 1
  return `198.51.${Math.floor(last / 250)}.${(last % 250) + 1}`
}

async function connected(): Promise<Site> {
  const { forge: _, ...made } = await connect(node, { ...repository } as Connected['forge'])
  return made
}

const ping = { zen: 'Keep it logically awesome.', hook_id: 1 }

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

const signed = (to: Site, address: string) => send(to, 'ping', ping, from(address))

const unsigned = (to: Site, address: string) => send(to, 'ping', ping, { ...from(address), secret: 'other' })

type Refused = RouterOutputs['git']['deliveries']['refused']

async function refusedOf({ project }: Site, token = site.team.ownerKey): Promise<Refused> {
  const client = createClient({ url: node.apiUrl, token, retry: false })
  return (await client.git.deliveries.query({ project: project.id })).refused
}

/** Waits until that is what the list says, less often than a team may ask. */
const becomes = (to: Site, expected: unknown) =>
  expect.poll(() => refusedOf(to), { interval: 400, timeout: 20_000 }).toEqual(expected)

const ofKind = (kind: string, count: number) =>
  expect.objectContaining({ kind, count, since_ms: expect.any(Number), last_ms: expect.any(Number) })

describe('the limit', () => {
  it("of an address isn't spent by what is signed: one project's events shut out no other's", async () => {
    const address = newAddress()
    for (let sent = 0; sent < 6 * addressBurst; sent += 1)
      expect((await signed(site, address)).status).toBe(202)
    const other = await connected()
    const push = pushOf(repository, { commit: 'c'.repeat(40) })
    expect((await send(other, 'push', push, from(address))).status).toBe(202)
  })

  it('of an address is spent by what is not, and by that alone', async () => {
    const [flooding, forge] = [newAddress(), newAddress()]
    const statuses = []
    for (let sent = 0; sent < 4 * addressBurst; sent += 1)
      statuses.push((await unsigned(site, flooding)).status)
    expect(statuses.slice(0, addressBurst)).toEqual(Array(addressBurst).fill(403))
    expect(statuses).toContain(429)
    expect((await signed(site, forge)).status).toBe(202)
  })

  it('of a project is drawn from by what is signed, whatever address it comes from', async () => {
    const firstRefused = async () => {
      for (let sent = 0; sent < 3 * projectBurst; sent += 1) {
        const answer = await signed(site, newAddress())
        if (answer.status === 429) return answer
      }
      throw new Error('None was refused.')
    }
    const { body } = await firstRefused()
    expect(body).toMatchObject({
      reason: 'rate_limited',
      message: expect.stringContaining('The forge of a project, whose team is on the free plan, may send 1'),
    })
    await becomes(site, [ofKind('project_limit', 1)])
    expect((await signed(await connected(), newAddress())).status).toBe(202)
  })

  it('gives nothing back beyond what was drawn', async () => {
    const address = newAddress()
    await Promise.all(Array.from({ length: addressBurst - 1 }, () => signed(site, address)))
    const statuses = await Promise.all(Array.from({ length: 40 }, () => unsigned(site, address)))
    const passed = statuses.filter(({ status }) => status === 403).length
    // A token a second is added while they come.
    expect(passed).toBeGreaterThanOrEqual(addressBurst)
    expect(passed).toBeLessThan(2 * addressBurst)
  })
})

describe('what was refused', () => {
  it('is counted by why, until something right comes', async () => {
    for (let sent = 0; sent < 3; sent += 1) await unsigned(site, newAddress())
    await send(site, 'ping', ping, {
      headers: { 'x-hub-signature-256': 'sha256=', ...from(newAddress()).headers },
    })
    await becomes(site, [ofKind('secret', 4)])
    const [refused] = await refusedOf(site)
    expect(refused?.why).toBe('the secret at the forge is another one')
    expect(refused?.since_ms).toBeLessThanOrEqual(refused?.last_ms ?? 0)
    await unsigned(site, newAddress())
    await becomes(site, [expect.objectContaining({ count: 5, since_ms: refused?.since_ms })])

    const other = pushOf({ url: 'https://github.com/acme/other.git' }, { commit: 'c'.repeat(40) })
    expect((await send(site, 'push', other, from(newAddress()))).status).toBe(422)
    await becomes(site, [ofKind('secret', 5), ofKind('repository', 1)])

    expect((await signed(site, newAddress())).status).toBe(202)
    await becomes(site, [])
  })

  it.each([
    ['unsigned', { 'x-hub-signature-256': undefined }],
    ['malformed', { 'x-github-event': 'ev<i>l' }],
  ])('without a right header is %s', async (kind, changed) => {
    const body = JSON.stringify(ping)
    const digest = createHmac('sha256', site.secret).update(body).digest('hex')
    const headers: Record<string, string | undefined> = {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'one',
      'x-hub-signature-256': `sha256=${digest}`,
      'x-forwarded-for': newAddress(),
      ...changed,
    }
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    )
    const url = `${node.apiUrl}/hooks/git/${site.project.id}`
    expect((await fetch(url, { method: 'POST', headers: given, body })).status).toBe(403)
    await becomes(site, [ofKind(kind, 1)])
  })

  it('ends with another secret, and not with another directory', async () => {
    await unsigned(site, newAddress())
    await becomes(site, [ofKind('secret', 1)])
    const put = (git: object) => site.team.owner('PUT', '/v1/projects/web', { git })
    await put({ root_directory: 'apps/web' })
    expect(await refusedOf(site)).toHaveLength(1)
    const secret = `${site.secret}-again`
    knowSecret('the secret of a repository', secret)
    await put({ secret })
    expect(await refusedOf(site)).toEqual([])
  })

  it('is listed for nobody but those who see the project', async () => {
    const { body: other } = await site.team.owner('PUT', '/v1/projects/other', {
      git: { url: 'https://github.com/acme/other', secret: 'the-secret-of-another-repository' },
    })
    await unsigned(site, newAddress())
    await becomes(site, [ofKind('secret', 1)])
    const limited = await addLimited(node, site.team, [other.id])
    const stranger = await newTeam(node)
    for (const key of [limited.key, stranger.ownerKey])
      await expect(refusedOf(site, key)).rejects.toMatchObject({ data: { reason: 'project_not_found' } })
    expect(await refusedOf({ ...site, project: other }, limited.key)).toEqual([])
  })

  it('is not counted by what another process had seen before something right came', async () => {
    const { db } = node.installation.store
    let nowMs = Date.now()
    const counters = [0, 1].map(() => createRefusalCounter({ db, nowMs: () => nowMs }))
    const [one, other] = counters
    if (!one || !other) throw new Error('There are two.')
    nowMs += 10
    one.refused(site.project.id, 'secret')
    nowMs += 10
    other.accepted(site.project.id)
    await other.flush()
    await one.flush()
    expect(await refusedOf(site)).toHaveLength(1)
    await other.flush()
    expect(await refusedOf(site)).toEqual([])
    nowMs += 10
    one.refused(site.project.id, 'secret')
    await Promise.all(counters.map((counter) => counter.flush()))
    expect(await refusedOf(site)).toMatchObject([{ kind: 'secret', count: 1 }])
  })

  it('is written for all projects at once, and not for one that is connected no more', async () => {
    const { db } = node.installation.store
    const counter = createRefusalCounter({ db, nowMs: Date.now })
    const others = await Promise.all([connected(), connected()])
    for (const { project } of [site, ...others])
      for (let at = 0; at < 500; at += 1) counter.refused(project.id, 'secret')
    await others[0]?.team.owner('PUT', '/v1/projects/web', { git: null })
    await counter.flush()
    const counts = await Promise.all([site, ...others].map((to) => refusedOf(to, to.team.ownerKey)))
    expect(counts).toMatchObject([[{ count: 500 }], [], [{ count: 500 }]])
  })
})
