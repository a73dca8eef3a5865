import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createLink, deleteExpiredLinks } from '../../../src/platform/people/links.ts'
import { events } from '../../../src/stores/db/schema/events.ts'
import { personLinks } from '../../../src/stores/db/schema/people.ts'
import { members, teams, users } from '../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { apiOf } from '../../support/api.ts'
import { newBrowser } from '../../support/browser.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newLink, newLinkedPerson, newPerson, signIn, useLink } from '../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterEach(() => {
  node.clock.aheadMs = 0
})

afterAll(() => node.stop())

const newAddress = () => `${unique('Grace')}@Example.com`
const hours = 3_600_000

describe('the link of the first start', () => {
  const token = () => new URL(node.firstLink ?? '').searchParams.get('token') ?? ''

  it('needs an email address, which must be a new one', async () => {
    const known = await newPerson(node)
    expect((await newBrowser().visit(node.firstLink ?? '')).text).toContain('name="email"')
    expect((await useLink(node, token())).status).toBe(400)
    expect((await useLink(node, token(), { email: 'nonsense' })).status).toBe(400)
    const page = await useLink(node, token(), { email: known.email })
    expect(page).toMatchObject({ status: 409, text: expect.stringContaining('belongs to another user') })
    expect(page.text).toContain(`name="email" value="${known.email}"`)
    expect(page.text).not.toContain(known.password)
  })

  it('can be replaced as long as the first user has no password', async () => {
    const again = await newLink(node)
    expect((await newBrowser().visit(node.firstLink ?? '')).status).toBe(404)
    const page = await useLink(node, again.token, { email: 'First@example.com' })
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('first@example.com') })
    await expect(newLink(node)).rejects.toMatchObject({ reason: 'name_in_use' })
  })

  it('belongs to the owner of the first team, which is named after the owner from then on', async () => {
    const { db } = node.installation.store
    const [first] = await db
      .select({ slug: teams.slug, team: teams.name, email: users.email, name: users.name })
      .from(teams)
      .innerJoin(members, eq(members.teamId, teams.id))
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(teams.slug, 'personal'))
    const email = 'first@example.com'
    expect(first).toEqual({ slug: 'personal', team: "First's team", email, name: email })
    const updates = await db.select().from(events).where(eq(events.type, 'team.updated'))
    expect(updates).toMatchObject([{ data: { team: { name: "First's team" }, changed: ['name'] } }])
  })

  it('leaves a name that the team was given before', async () => {
    const other = await startOwnNode()
    onTestFinished(() => other.stop())
    const { db } = other.installation.store
    await apiOf(other, other.firstKey?.token)('PUT', '/v1/teams/personal', { name: 'Acme' })
    const first = new URL(other.firstLink ?? '').searchParams.get('token') ?? ''
    await useLink(other, first, { email: 'First@example.com' })
    expect(await db.select({ name: teams.name }).from(teams)).toEqual([{ name: 'Acme' }])
  })
})

describe('the page of a link', () => {
  it('has a form for a password, with one script of its own, and is never cached', async () => {
    const { url } = await newLink(node, 'ada+"<b>@example.com'.replaceAll(/["<>]/g, ''))
    const page = await newBrowser().visit(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain('value="ada+b@example.com"')
    expect(page.text.match(/<script/g)).toHaveLength(1)
    expect(page.text).toContain('At least 10 characters.')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^;]+; script-src 'sha256-[^;]+;.* form-action 'self'/,
      ),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    })
  })

  it('may be viewed repeatedly before the link is used', async () => {
    const { url, token } = await newLink(node, newAddress())
    for (let i = 0; i < 3; i += 1) expect((await newBrowser().visit(url)).status).toBe(200)
    expect((await useLink(node, token)).status).toBe(200)
    expect((await newBrowser().visit(url)).status).toBe(404)
  })

  it.each(['', '?token=', '?token=x', '?token=<script>', `?token=${'x'.repeat(1_000)}`, '?token=a&token=b'])(
    '404 for an invalid link: %s',
    async (query) => {
      const page = await newBrowser().visit(`${node.apiUrl}/auth/link${query}`)
      expect(page.status).toBe(404)
      expect(page.text).not.toContain('<script')
    },
  )

  it('reports an invalid input, and the link stays valid', async () => {
    const { token } = await newLink(node, newAddress())
    for (const [fields, sentence] of [
      [{ password: 'short', again: 'short' }, 'must have 10 to 128 characters'],
      [{ password: 'x'.repeat(129), again: 'x'.repeat(129) }, 'must have 10 to 128 characters'],
      [{ again: 'another password' }, 'not the same'],
    ] as const) {
      const page = await useLink(node, token, fields)
      expect(page).toMatchObject({ status: 400, text: expect.stringContaining(sentence) })
    }
    expect((await useLink(node, token)).status).toBe(200)
  })

  it('accepts only small forms', async () => {
    const post = (body: string, type: string) =>
      fetch(`${node.apiUrl}/auth/link`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, origin: node.apiUrl },
      })
    const form = 'application/x-www-form-urlencoded'
    expect((await post('{}', 'application/json')).status).toBe(400)
    expect((await post(`token=x&password=${'x'.repeat(10_000)}`, form)).status).toBe(413)
    expect((await post('', form)).status).toBe(404)
    expect((await fetch(`${node.apiUrl}/auth/link`, { method: 'PUT' })).status).toBe(405)
  })
})

describe('a link for a new address', () => {
  it('creates a user with a personal team, which the user owns', async () => {
    const { db } = node.installation.store
    const address = newAddress()
    const { email } = await newLinkedPerson(node, ` ${address} `.trim())
    const [user] = await db.select().from(users).where(eq(users.email, email.toLowerCase()))
    expect(user).toMatchObject({ emailVerified: true, name: email.toLowerCase() })
    const rows = await db
      .select({ slug: teams.slug, name: teams.name, personal: teams.personal, role: members.role })
      .from(members)
      .innerJoin(teams, eq(teams.id, members.teamId))
      .where(eq(members.userId, user?.id ?? ''))
    const slug = email.toLowerCase().split('@')[0] ?? ''
    const last = slug.slice('grace-'.length).replace(/^[a-z]/, (first) => first.toUpperCase())
    const name = `Grace ${last}'s team`
    expect(rows).toEqual([{ slug, name, personal: true, role: 'owner' }])
  })

  it('gives each user a team, also if the local parts of their addresses are the same', async () => {
    const { db } = node.installation.store
    const name = unique('same')
    for (const domain of ['a', 'b', 'c']) await newLinkedPerson(node, `${name}@${domain}.example.com`)
    const slugs = (await db.select({ slug: teams.slug }).from(teams)).map(({ slug }) => slug)
    const own = slugs.filter((slug) => slug.startsWith(name))
    expect(own).toHaveLength(3)
    expect(own).toContain(name)
  })

  it('lets the user sign in with the chosen password', async () => {
    const person = await newLinkedPerson(node, newAddress())
    const { body } = await (await signIn(node, person)).call('GET', '/get-session')
    expect(body.user.email).toBe(person.email.toLowerCase())
  })
})

describe('a link for a user', () => {
  it('replaces the password, and ends the user’s sessions', async () => {
    const person = await newPerson(node)
    const signedIn = await signIn(node, person)
    const { token } = await newLink(node, person.email.toUpperCase())
    await useLink(node, token, { password: 'another password', again: 'another password' })
    expect((await signedIn.call('GET', '/get-session')).body).toBeNull()
    await expect(signIn(node, person)).rejects.toThrow('401')
    expect((await signIn(node, { ...person, password: 'another password' })).email).toBe(person.email)
    const { db } = node.installation.store
    expect(await db.select().from(users).where(eq(users.email, person.email))).toHaveLength(1)
  })
})

describe('a link works', () => {
  it('once, also when used twice at the same time', async () => {
    const { token } = await newLink(node, newAddress())
    const pages = await Promise.all([1, 2, 3].map(() => useLink(node, token)))
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  it('for 72 hours', async () => {
    const { url, token } = await newLink(node, newAddress())
    node.clock.aheadMs = 72 * hours - 60_000
    expect((await newBrowser().visit(url)).status).toBe(200)
    node.clock.aheadMs = 72 * hours
    expect((await newBrowser().visit(url)).status).toBe(404)
    expect((await useLink(node, token)).status).toBe(404)
  })

  it('until there is a newer one for the same user', async () => {
    const address = newAddress()
    const older = await newLink(node, address)
    const newer = await newLink(node, address.toLowerCase())
    expect((await useLink(node, older.token)).status).toBe(404)
    expect((await useLink(node, newer.token)).status).toBe(200)
  })

  it('and is stored as its SHA-256 only, until it expires', async () => {
    const { db } = node.installation.store
    const { token } = await newLink(node, newAddress())
    expect(JSON.stringify(await db.select().from(personLinks))).not.toContain(token)
    const [stored] = await db.select().from(personLinks)
    expect((await useLink(node, stored?.tokenSha256 ?? '')).status).toBe(404)
    await deleteExpiredLinks({ db, nowMs: Date.now() + 71 * hours })
    expect(await db.select().from(personLinks)).not.toEqual([])
    await deleteExpiredLinks({ db, nowMs: Date.now() + 72 * hours })
    expect(await db.select().from(personLinks)).toEqual([])
  })

  it('and is never logged, nor is the password', async () => {
    const person = await newPerson(node)
    const { url, token } = await newLink(node, person.email)
    await newBrowser().visit(url)
    await useLink(node, token)
    await useLink(node, token)
    const log = node.logged.join('')
    expect(log).toContain('/auth/link')
    expect(log).not.toContain(token)
    expect(log).not.toContain(person.password)
  })
})

describe('a link', () => {
  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@example.com\n@x',
    `${'a'.repeat(250)}@example.com`,
  ])('is not created for an invalid address: %j', async (email) => {
    await expect(createLink(node.installation.store, email, Date.now())).rejects.toMatchObject({
      reason: 'invalid_input',
      message: 'email: should be an email address, such as ada@example.com',
    })
  })
})
