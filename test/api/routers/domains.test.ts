/** Claiming a name and configuring its target. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { domains, registrableDomains } from '../../../src/stores/db/schema/domains.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

// Without a worker, which would check claims at any moment.
let node: TestNode
let store: Store

beforeAll(async () => {
  node = await startOwnNode()
  store = node.installation.store
})

afterAll(() => node.stop())

const path = (name: string) => `/v1/domains/${encodeURIComponent(name)}`

describe('PUT /v1/domains/{domain}', () => {
  it('claims a name, which is unverified and checked soon', async () => {
    const team = await newTeam(node)
    const name = `www.${unique('claimed')}.com`
    const beforeMs = Date.now()
    const { status, body } = await team.owner('PUT', path(name))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^dom_[0-9a-f]{32}$/),
      domain: name,
      project: null,
      redirect: null,
      verified: false,
      verification: [
        {
          type: 'TXT',
          name: `_svc.${name}`,
          value: expect.stringMatching(/^svc-verify=[A-Za-z0-9_-]{43}$/),
        },
      ],
      configured: false,
      expected: [{ type: 'A', name, value: '127.0.0.1' }],
      seen: [],
      error: null,
      tls: { state: 'none', not_after_ms: null, error: null, own: false },
      nameservers: [],
      created_ms: expect.any(Number),
      verified_ms: null,
      checked_ms: null,
      next_check_ms: body.created_ms,
    })
    expect(body.created_ms).toBeGreaterThanOrEqual(beforeMs)
  })

  it('attaches a project, by name or id, and detaches it', async () => {
    const team = await newTeam(node)
    const name = `${unique('attached')}.com`
    const { body: web } = await team.owner('PUT', '/v1/projects/web')
    const { body: docs } = await team.owner('PUT', '/v1/projects/docs')
    const attached = async (project: string) =>
      (await team.owner('GET', `/v1/projects/${project}`)).body.domains

    expect((await team.owner('PUT', path(name), { project: 'web' })).body.project).toBe('web')
    expect([await attached('web'), await attached('docs')]).toEqual([[name], []])
    expect((await team.owner('PUT', path(name), { project: docs.id })).body.project).toBe('docs')
    expect([await attached('web'), await attached('docs')]).toEqual([[], [name]])
    expect((await team.owner('PUT', path(name), { project: web.id })).body.project).toBe('web')
    expect((await team.owner('PUT', path(name), { project: null })).body.project).toBeNull()
    expect([await attached('web'), await attached('docs')]).toEqual([[], []])
  })

  it('redirects permanently and with the method by default', async () => {
    const team = await newTeam(node)
    const name = `${unique('redirected')}.com`
    const set = async (redirect: unknown) => (await team.owner('PUT', path(name), { redirect })).body.redirect
    expect(await set({ to: 'example.com' })).toEqual({ to: 'example.com', status: 308 })
    for (const status of [301, 302, 307, 308]) {
      expect(await set({ to: 'example.com', status })).toEqual({ to: 'example.com', status })
    }
    expect(await set({ to: 'WWW.Bücher.example.' })).toMatchObject({ to: 'www.xn--bcher-kva.example' })
    expect(await set({ to: 'me.github.io' })).toMatchObject({ to: 'me.github.io' })
    expect(await set({ to: 'github.io' })).toMatchObject({ to: 'github.io' })
    expect(await set(null)).toBeNull()
  })

  it('keeps omitted fields, and has a project and a redirect at once', async () => {
    const team = await newTeam(node)
    const name = `${unique('kept')}.com`
    await team.owner('PUT', '/v1/projects/web')
    await team.owner('PUT', path(name), { project: 'web' })
    const { body } = await team.owner('PUT', path(name), { redirect: { to: 'example.com', status: 302 } })
    expect(body).toMatchObject({ project: 'web', redirect: { to: 'example.com', status: 302 } })
    expect((await team.owner('PUT', path(name), {})).body).toEqual(body)
    expect((await team.owner('PUT', path(name), { redirect: null })).body).toEqual({
      ...body,
      redirect: null,
    })
  })

  it('is safe to repeat: the response is the same, also by id, and there is one domain', async () => {
    const team = await newTeam(node)
    const name = `${unique('repeated')}.com`
    await team.owner('PUT', '/v1/projects/web')
    const changes = { project: 'web', redirect: { to: 'example.com' } }
    const { body: first } = await team.owner('PUT', path(name), changes)
    for (const reference of [name, first.id]) {
      const { status, body } = await team.owner('PUT', path(reference), changes)
      expect({ status, body }).toEqual({ status: 200, body: first })
    }
    expect((await team.owner('GET', '/v1/domains')).body.data).toEqual([first])
  })

  it('creates one domain from several concurrent calls, which all take effect', async () => {
    const team = await newTeam(node)
    const name = `${unique('at-once')}.com`
    await team.owner('PUT', '/v1/projects/web')
    const answers = await Promise.all(
      [{ project: 'web' }, { redirect: { to: 'example.com' } }, {}, {}].map((changes) =>
        team.owner('PUT', path(name), changes),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await team.owner('GET', path(name))).body).toMatchObject({
      project: 'web',
      redirect: { to: 'example.com' },
    })
  })

  it('raises the serial of its family and sends a notification, as its deletion does', async () => {
    const team = await newTeam(node)
    const top = `${unique('announced')}.com`
    const heard: Change[] = []
    const stop = store.changes.subscribe({ changed: (change) => heard.push(change), missed: () => {} })
    const serial = async () =>
      (await store.db.select().from(registrableDomains).where(eq(registrableDomains.name, top)))[0]?.serial ??
      0
    const { body } = await team.owner('PUT', path(`www.${top}`))
    const first = await serial()
    await team.owner('PUT', path(body.id), { redirect: { to: 'example.com' } })
    await team.owner('DELETE', path(body.id))
    stop()
    expect((await serial()) - first).toBe(2)
    expect(heard.filter(({ id }) => id === top)).toEqual(Array(3).fill({ kind: 'domain', id: top }))
  })

  it('404 for an unknown id, and nothing is created', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', path(newId('domain', Date.now())))
    expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'domain_not_found' })
    expect((await team.owner('GET', '/v1/domains')).body.data).toEqual([])
  })

  it('404 for an unknown project, and nothing is created', async () => {
    const team = await newTeam(node)
    const name = `${unique('nothing')}.com`
    for (const project of ['nobodys', newId('project', Date.now())]) {
      const { status, body } = await team.owner('PUT', path(name), { project })
      expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'project_not_found' })
    }
    expect((await team.owner('GET', path(name))).status).toBe(404)
  })
})

describe('a name', () => {
  it('is the same in any spelling', async () => {
    const team = await newTeam(node)
    const label = unique('Bücher')
    const { body: made } = await team.owner('PUT', path(`WWW.${label}.COM.`))
    expect(made.domain).toMatch(/^www\.xn--bcher-.*\.com$/)
    for (const spelling of [
      made.domain,
      made.domain.toUpperCase(),
      `www.${label}.com`,
      `www.${label.normalize('NFD')}.com.`,
      `www。${label}.com`,
    ]) {
      expect((await team.owner('GET', path(spelling))).body, spelling).toEqual(made)
      expect((await team.owner('PUT', path(spelling))).body.id, spelling).toBe(made.id)
    }
    expect((await team.owner('DELETE', path(`www.${label}.com.`))).body.id).toBe(made.id)
  })

  it('may be as long as DNS allows', async () => {
    const team = await newTeam(node)
    const top = `${unique('long')}.com`
    const rest = 253 - top.length - 1
    const labels = [63, 63, 63, rest - 3 * 64].map((length) => 'a'.repeat(length))
    const name = `${labels.join('.')}.${top}`
    expect(name).toHaveLength(253)
    expect((await team.owner('PUT', path(name))).status).toBe(200)
    expect((await team.owner('GET', path(`${name}.`))).body.domain).toBe(name)
    expect((await team.owner('PUT', path(`a${name}`))).status).toBe(400)
  })

  it.each([
    ['a wildcard', '*.example.com', 'wildcard'],
    ['a wildcard as an inner label', 'a.*.example.com', 'wildcard'],
    ['a public suffix', 'co.uk', 'public suffix'],
    ['a private suffix', 'github.io', 'public suffix'],
    ['a top-level domain', 'com', 'public suffix'],
    ['an unlisted top-level domain', 'localdomain', 'public suffix'],
    ['an IPv4 address', '192.0.2.1', 'address'],
    ['an IPv6 address', '2001:db8::1', 'address'],
    ['an address in brackets', '[2001:db8::1]', 'address'],
    ['a short address', '127.1', 'address'],
    ['a number', '2130706433', 'address'],
    ['a hexadecimal address', '0x7f.1', 'address'],
    ['an address in full-width digits', '１２７.０.０.１', 'address'],
    ['letters of two scripts that look alike', 'pаypal.com', 'scripts'],
    ['the same in punycode', 'xn--pypal-4ve.com', 'scripts'],
    ['an underscore', '_svc.example.com', 'domain name'],
    ['an empty label', 'a..example.com', 'domain name'],
    ['two trailing dots', 'example.com..', 'domain name'],
    ['a dash at the end of a label', 'a-.example.com', 'domain name'],
    ['a label of 64', `${'a'.repeat(64)}.example.com`, 'domain name'],
    ['a space', 'exa mple.com', 'domain name'],
    ['a line break', 'example.com\n', 'domain name'],
    ['a port', 'example.com:443', 'domain name'],
    ['a user', 'me@example.com', 'domain name'],
    ['a URL', 'https://example.com/', 'domain name'],
    ['invalid punycode', 'xn--a.example.com', 'domain name'],
    ['the id of another kind', newId('project', 1), 'domain name'],
    ["the sites' domain", 'localhost', 'public suffix'],
    ...['postgres.corp.internal', 'nas.local', 'x.onion', 'a.invalid', 'printer.home.arpa', 'x.y.alt'].map(
      (name): [string, string, string] => [`${name}, which is not public`, name, 'not a public name'],
    ),
    ['a site', 'web.localhost', 'belongs to this service'],
    ['a name below a site', 'a.web.localhost', 'belongs to this service'],
  ])('400 that names domain for %s', async (_what, name, expectedMessage) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', path(name))
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues).toMatchObject([{ path: 'domain' }])
    expect(body.message).toContain(expectedMessage)
    for (const method of ['GET', 'DELETE']) {
      expect(await team.owner(method, path(name))).toMatchObject({
        status: 404,
        body: { reason: 'domain_not_found' },
      })
    }
    expect((await team.owner('GET', '/v1/domains')).body.data).toEqual([])
  })
})

it('an existing claim stays usable after its name became invalid', async () => {
  const team = await newTeam(node)
  const name = `${unique('old')}.internal`
  await claim(node, team, name)
  const redirect = { to: 'example.net', status: 308 }
  expect(await team.owner('PUT', path(name), { redirect })).toMatchObject({ status: 200, body: { redirect } })
  expect((await team.owner('DELETE', path(name))).status).toBe(200)
})

describe('a redirect', () => {
  it.each([
    ['an address', { to: '192.0.2.1' }, 'redirect.to'],
    ['a URL', { to: 'https://example.com/path' }, 'redirect.to'],
    ['a path', { to: 'example.com/path' }, 'redirect.to'],
    ['a port', { to: 'example.com:8080' }, 'redirect.to'],
    ['a wildcard', { to: '*.example.com' }, 'redirect.to'],
    ['a line break', { to: 'example.com\r\nSet-Cookie: a=b' }, 'redirect.to'],
    ['one label', { to: 'localhost' }, 'redirect.to'],
    ['nothing', { to: '' }, 'redirect.to'],
    ['no target', { status: 308 }, 'redirect.to'],
    ['no redirect', { to: 'example.com', status: 200 }, 'redirect.status'],
    ['another redirect', { to: 'example.com', status: 303 }, 'redirect.status'],
    ['text for a status', { to: 'example.com', status: '308' }, 'redirect.status'],
    ['text', 'example.com', 'redirect'],
  ])('400 to %s', async (_what, redirect, issue) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', path(`${unique('from')}.com`), { redirect })
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues).toMatchObject([{ path: issue }])
    expect((await team.owner('GET', '/v1/domains')).body.data).toEqual([])
  })

  it('400 to itself, in any spelling and by id too', async () => {
    const team = await newTeam(node)
    const name = `${unique('itself')}.com`
    const { body: made } = await team.owner('PUT', path(name))
    for (const reference of [name, made.id]) {
      for (const to of [name, `${name.toUpperCase()}.`]) {
        const { status, body } = await team.owner('PUT', path(reference), { redirect: { to } })
        expect(status).toBe(400)
        expect(body.issues).toMatchObject([{ path: 'redirect.to' }])
      }
    }
    const other = `${unique('itself')}.com`
    expect((await team.owner('PUT', path(other), { redirect: { to: other } })).status).toBe(400)
    expect((await team.owner('GET', '/v1/domains')).body.data).toEqual([made])
  })
})

it('the result of a check is returned as it is', async () => {
  const team = await newTeam(node)
  const { body: made } = await team.owner('PUT', path(`${unique('checked')}.com`))
  const seen = [{ type: 'A', name: made.domain, value: '192.0.2.7' }]
  await store.db
    .update(domains)
    .set({
      seen,
      errorReason: 'elsewhere',
      errorMessage: 'It leads elsewhere.',
      checkedMs: 5,
      nextCheckMs: 6,
    })
    .where(eq(domains.id, made.id))
  expect((await team.owner('GET', path(made.id))).body).toEqual({
    ...made,
    seen,
    error: { reason: 'elsewhere', message: 'It leads elsewhere.' },
    checked_ms: 5,
    next_check_ms: 6,
  })
})
