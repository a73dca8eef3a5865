/** Custom domains, as visitors see them, over real sockets. */
import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDomainName } from '../../../src/lib/names/domain-name.ts'
import { settleVerified } from '../../../src/platform/zones/claims/settle-verified.ts'
import { changeFamilies } from '../../../src/platform/zones/family.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { claim } from '../../support/claims.ts'
import { eventually } from '../../support/eventually.ts'
import { exchange, sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite

beforeAll(async () => {
  edge = await startEdge()
  site = await newPromoted('home')
})

afterAll(() => edge.close())

/** A site of a new team, whose production is one page with this text. */
async function newPromoted(text: string): Promise<TestSite> {
  const made = await newSite(edge)
  await made.promote((await made.deploy({ 'index.html': text, 'docs/index.html': 'docs' })).id)
  return made
}

/** A name that no other test has. */
const newName = () => `shop-${randomBytes(4).toString('hex')}.com`

type Options = Parameters<typeof claim>[3]

const claimFor = ({ teamId }: TestSite, domain: string, options: Options) =>
  claim({ clock: edge.clock, installation: { store: edge.store } }, { id: teamId }, domain, options)

/** A verified domain that leads to the site. */
async function attached(to = site): Promise<string> {
  const name = newName()
  await claimFor(to, name, { proven: true, project: to.projectId })
  return name
}

/** Deletes a team's claim, as its DELETE does. */
async function unclaim({ teamId }: TestSite, domain: string): Promise<void> {
  await edge.store.transact(async (tx) => {
    const name = readDomainName(domain)
    if ('problem' in name) throw new Error(name.problem)
    await changeFamilies(tx, [name.registrable], Date.now())
    await tx.delete(domains).where(and(eq(domains.teamId, teamId), eq(domains.domain, domain)))
    await settleVerified(tx, [name], Date.now())
  })
}

const get = (host: string, path = '/', headers = {}, method = 'GET') =>
  sendRequest(edge.port, host, path, headers, method)

const textAt = async (host: string) => (await get(host)).text

/** The response for an unknown host. */
async function nothing() {
  const { status, text, headers } = await get('nobody.localhost')
  return { status, text, headers: { ...headers, date: expect.any(String) } }
}

describe('a verified domain', () => {
  it("serves its project's production", async () => {
    const name = await attached()
    expect(await get(name)).toMatchObject({ status: 200, text: 'home' })
    expect(await get(name, '/docs?a=1')).toMatchObject({ status: 308, headers: { location: '/docs/?a=1' } })
    expect((await get(name, '/nothing')).status).toBe(404)
    expect((await get(name, '/', {}, 'HEAD')).status).toBe(200)
    expect((await get(name, '/', {}, 'POST')).status).toBe(405)
  })

  it('is accepted in capitals, with a port, and with a trailing dot', async () => {
    const name = await attached()
    for (const host of [name.toUpperCase(), `${name}:8443`, `${name}.`, `${name.toUpperCase()}.:80`]) {
      expect(await get(host)).toMatchObject({ status: 200, text: 'home' })
    }
  })

  it('gets the same response from memory as from the database', async () => {
    const name = await attached()
    const [cold, warm] = [await get(name), await get(name)]
    expect({ ...warm.headers, date: '' }).toEqual({ ...cold.headers, date: '' })
  })

  it('covers claims of the same team below it, but no other name', async () => {
    const name = await attached()
    const below = `www.${name}`
    expect(await get(below)).toMatchObject(await nothing())
    await claimFor(site, below, { project: site.projectId })
    expect(await get(below)).toMatchObject({ status: 200, text: 'home' })
    expect((await get(`a.${below}`)).status).toBe(404)
  })

  it("is overridden by another team's claim below it only once that is verified", async () => {
    const name = await attached()
    const deeper = `app.${name}`
    const other = await newPromoted('other')
    await claimFor(site, deeper, { project: site.projectId })
    expect(await textAt(deeper)).toBe('home')
    await claimFor(other, deeper, { project: other.projectId })
    expect(await textAt(deeper)).toBe('home')
    await unclaim(other, deeper)
    await claimFor(other, deeper, { proven: true, project: other.projectId })
    expect(await textAt(deeper)).toBe('other')
    expect(await textAt(name)).toBe('home')
    await unclaim(other, deeper)
    expect(await textAt(deeper)).toBe('home')
  })

  it('follows a promote at once', async () => {
    const own = await newPromoted('one')
    const name = await attached(own)
    expect(await textAt(name)).toBe('one')
    await own.promote((await own.deploy({ 'index.html': 'two' })).id)
    expect(await textAt(name)).toBe('two')
  })

  it('404 while nothing is deployed', async () => {
    const name = await attached(await newSite(edge))
    expect(await get(name)).toMatchObject(await nothing())
  })
})

describe('404, the same as for an unknown host, for', () => {
  it.each([
    ['a name without a claim', async () => newName()],
    [
      'an unverified claim',
      async () => {
        const name = newName()
        await claimFor(site, name, { project: site.projectId })
        return name
      },
    ],
    [
      'an unverified redirect',
      async () => {
        const name = newName()
        await claimFor(site, name, { redirect: { to: 'example.com', status: 308 } })
        return name
      },
    ],
    [
      'a verified domain without a project',
      async () => {
        const name = newName()
        await claimFor(site, name, { proven: true })
        return name
      },
    ],
    [
      'a project of another team',
      async () => {
        const name = newName()
        await claimFor(await newSite(edge), name, { proven: true, project: site.projectId })
        return name
      },
    ],
    ['a parent of a verified domain', async () => (await attached()).replace(/^[^.]*\./, '')],
    ["a domain's name as a label", async () => `${(await attached()).split('.')[0]}.localhost`],
  ])('%s', async (_, make) => {
    expect(await get(await make())).toMatchObject(await nothing())
  })

  it('a name whose claim was deleted, at once, even if another team claims it then', async () => {
    const name = await attached()
    expect((await get(name)).status).toBe(200)
    await unclaim(site, name)
    expect(await get(name)).toMatchObject(await nothing())
    const other = await newPromoted('other')
    await claimFor(other, name, { project: other.projectId })
    expect(await get(name)).toMatchObject(await nothing())
  })

  it('a name below a domain that is no longer verified, at once', async () => {
    const name = await attached()
    await claimFor(site, `www.${name}`, { project: site.projectId })
    expect((await get(`www.${name}`)).status).toBe(200)
    await unclaim(site, name)
    expect(await get(`www.${name}`)).toMatchObject(await nothing())
  })
})

describe('the next request sees', () => {
  it('a domain that was unknown before', async () => {
    const name = newName()
    expect((await get(name)).status).toBe(404)
    await claimFor(site, name, { proven: true, project: site.projectId })
    expect(await textAt(name)).toBe('home')
  })

  it('any change, after missed notifications', async () => {
    const name = await attached()
    expect((await get(name)).status).toBe(200)
    await edge.store.db.delete(domains).where(eq(domains.domain, name))
    edge.store.changes.publishMissed()
    expect((await get(name)).status).toBe(404)
  })
})

it('a deleted domain in use is gone within a second even without a notification', async () => {
  const name = await attached()
  expect((await get(name)).status).toBe(200)
  await edge.store.db.delete(domains).where(eq(domains.domain, name))
  await eventually(async () => expect((await get(name)).status).toBe(404), { limitMs: 1_000 })
})

it.each([
  ['two hosts', (name: string) => `Host: ${name}\r\nHost: ${name}`],
  ['two hosts, one of them unknown', (name: string) => `Host: ${name}\r\nHost: evil.com`],
  ['a host with a user', (name: string) => `Host: evil.com@${name}`],
  ['a user name in front of it', (name: string) => `Host: ${name}@evil.com`],
  ['two trailing dots', (name: string) => `Host: ${name}..`],
  ['a list', (name: string) => `Host: ${name}, ${name}`],
])('400 for %s', async (_, fields) => {
  const reply = await exchange(edge.port, `GET / HTTP/1.1\r\n${fields(await attached())}\r\n\r\n`)
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
})

it('proves its own names to an authority with its files, and none of the platform', async () => {
  const made = await newSite(edge)
  const files = {
    'index.html': 'home',
    '.well-known/acme-challenge/token': 'token.key',
    '.well-known/pki-validation/agreed.txt': 'agreed',
    _redirects: '/.well-known/acme-challenge/led https://example.com/led 301\n/* /index.html 200',
  }
  const { id, host } = await made.deploy(files)
  await made.promote(id)
  const below = '/.well-known/acme-challenge'
  const paths = ['token', 'led', 'unknown', 'token?a=1', '%74oken'].map((name) => `${below}/${name}`)
  for (const path of [
    ...paths,
    '/.well-known/acme%2Dchallenge/token',
    '/%2Ewell-known/acme-challenge%2ftoken',
    '/.well-known/pki-validation/agreed.txt',
    '/.well-known/pki%2Dvalidation/unknown',
  ]) {
    for (const to of [host, host.toUpperCase(), `${host}.`]) {
      const { status, text } = await get(to, path)
      expect({ path, status, text }).toEqual({ path, status: 404, text: 'Not found.\n' })
    }
  }
  expect((await get(host, '/.well-known/other')).text).toBe('home')
  const own = await attached(made)
  expect((await get(own, `${below}/token`)).text).toBe('token.key')
  expect((await get(own, `${below}/led`)).status).toBe(301)
  expect((await get(own, '/.well-known/pki-validation/agreed.txt')).text).toBe('agreed')
})
