/** People of a team open its protected sites in a browser: sign in, and come back. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { visitCodes } from '../../../src/stores/db/schema/visitors.ts'
import { newBrowser } from '../../support/browser.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newPerson, type Person, password, signIn } from '../../support/person.ts'
import type { TestTeam } from '../../support/team.ts'
import { newVisitor, refreshUrlOf, signInUrlOf, type Visitor } from '../../support/visitor.ts'
import { newProtected } from './protected-site.ts'

let node: TestNode
let team: TestTeam
let url: string
let preview: string
let person: Person

beforeAll(async () => {
  node = await sharedNode()
  const made = await newProtected(node)
  team = made.team
  url = made.url
  preview = made.preview
  person = await newMember(team)
})

/** Somebody who is in the team, and signed in. */
async function newMember(of: TestTeam): Promise<Person> {
  const member = await signIn(node, await newPerson(node))
  await node.installation.store.db
    .insert(members)
    .values({ teamId: of.id, userId: await idOf(member), role: 'member', joinedMs: Date.now() })
  return member
}

async function idOf({ email }: Person): Promise<string> {
  const [user] = await node.installation.store.db.select().from(users).where(eq(users.email, email))
  return user?.id ?? ''
}

/** The address with a code that signing in leads to. */
async function codeUrl(visitor: Visitor, at: string, { browser }: Person): Promise<string> {
  return refreshUrlOf(await browser.visit(signInUrlOf(await visitor.open(at))))
}

async function enter(visitor: Visitor, at = url, who = person) {
  return visitor.open(await codeUrl(visitor, at, who))
}

describe('a browser at a protected site', () => {
  it('gets a page without scripts, which nobody keeps', async () => {
    const { status, text, cookies } = await newVisitor().open(url)
    expect(status).toBe(401)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<form')
    expect(cookies).toEqual([
      expect.stringMatching(/^svc_nonce=[\w-]{32}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('comes back from signing in to the path that it wanted, and stays in', async () => {
    const visitor = newVisitor()
    const entered = await enter(visitor, `${url}?tab=%3Ca%3E&next=//evil.test`)
    expect(entered).toMatchObject({ status: 303, location: '/?tab=%3Ca%3E&next=//evil.test' })
    expect(entered.cookies).toEqual([
      expect.stringMatching(/^svc_visit=usr_[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await visitor.open(url)).status).toBe(200)
  })

  it('signs in first where there is no session', async () => {
    const browser = newBrowser()
    const visitor = newVisitor()
    const first = await browser.visit(signInUrlOf(await visitor.open(`${url}index.html?a=1&b=2`)))
    expect(new URL(first.url).pathname).toBe('/auth/sign-in')
    const next = new URL(first.url).searchParams.get('next') ?? ''
    const { email } = person
    const page = await browser.submit(`${node.apiUrl}/auth/sign-in`, { email, password, next })
    expect(await visitor.open(refreshUrlOf(page))).toMatchObject({ location: '/index.html?a=1&b=2' })
  })

  it.each(['//evil.test', '/%5cevil.test', '/x%0d%0aset-cookie:a=b', 'https://evil.test', '/a/../../b'])(
    'never goes on elsewhere, whatever it was led to sign in with: %s',
    async (path) => {
      const visitor = newVisitor()
      const led = new URL(signInUrlOf(await visitor.open(url)))
      led.searchParams.set('path', decodeURIComponent(path))
      const { location } = await visitor.open(refreshUrlOf(await person.browser.visit(led.href)))
      expect(location).toMatch(/^\/(?![/\\])/)
      expect(new URL(location ?? '', url).origin).toBe(new URL(url).origin)
    },
  )
})

describe('a program', () => {
  it('sees what it saw before there was a page', async () => {
    const programs: Record<string, string>[] = [
      { accept: '*/*' },
      { accept: 'application/json' },
      { authorization: 'Bearer nobody' },
      { 'x-svc-bypass': 'wrong' },
      { 'sec-fetch-mode': 'cors' },
    ]
    for (const headers of programs) {
      const { status, text, cookies } = await newVisitor().open(url, headers)
      expect({ status, cookies }).toEqual({ status: 401, cookies: [] })
      expect(text).toMatch(/^This deployment is protected\. Send its team's API key/)
    }
    expect((await newVisitor().open(url, {}, 'HEAD')).cookies).toEqual([])
  })
})

describe('a code', () => {
  it('is worth nothing in another browser, and not a second time', async () => {
    const [mine, victim] = [newVisitor(), newVisitor()]
    await victim.open(url)
    const code = await codeUrl(mine, url, person)
    expect((await victim.open(code)).status).toBe(401)
    expect(victim.cookieAt(new URL(url).hostname)).not.toContain('svc_visit')
    // Whoever has tried it has used it up.
    expect((await mine.open(code)).status).toBe(401)
  })

  it('is worth nothing twice', async () => {
    const visitor = newVisitor()
    const code = await codeUrl(visitor, url, person)
    const all = await Promise.all([visitor.open(code), visitor.open(code), visitor.open(code)])
    expect(all.map(({ status }) => status).sort()).toEqual([303, 401, 401])
  })

  it('is worth nothing at another host of the project, nor at another site', async () => {
    const other = await newProtected(node)
    for (const at of [preview, other.url]) {
      const visitor = newVisitor()
      const nonce = visitor.cookieAt(new URL((await visitor.open(url)) && url).hostname)
      const code = await codeUrl(visitor, url, person)
      visitor.plant(new URL(at).hostname, nonce)
      const elsewhere = new URL(code)
      elsewhere.host = new URL(at).host
      expect((await visitor.open(elsewhere.href)).status).toBe(401)
    }
  })

  it('ends after a minute', async () => {
    const visitor = newVisitor()
    const code = await codeUrl(visitor, url, person)
    node.clock.aheadMs += 60_000
    expect((await visitor.open(code)).status).toBe(401)
    node.clock.aheadMs -= 60_000
  })

  it('is not used up by HEAD, nor when it is opened by a program', async () => {
    const visitor = newVisitor()
    const code = await codeUrl(visitor, url, person)
    expect((await visitor.open(code, {}, 'HEAD')).status).toBe(404)
    expect((await visitor.open(code)).status).toBe(303)
  })

  it('is nobody’s who is not in the team, and nothing tells whether there is such a site', async () => {
    const stranger = await signIn(node, await newPerson(node))
    const led = new URL(signInUrlOf(await newVisitor().open(url)))
    const real = await stranger.browser.visit(led.href)
    led.searchParams.set('host', 'no-such-site')
    const none = await stranger.browser.visit(led.href)
    expect([real.status, none.status]).toEqual([404, 404])
    expect(real.text).toBe(none.text)
  })

  it('is refused once the person has left since', async () => {
    const leaver = await newMember(team)
    const visitor = newVisitor()
    const code = await codeUrl(visitor, url, leaver)
    const userId = await idOf(leaver)
    await node.installation.store.db.delete(members).where(eq(members.userId, userId))
    expect((await visitor.open(code)).status).toBe(401)
  })

  it('is not given to frames and pictures of pages', async () => {
    const led = signInUrlOf(await newVisitor().open(url))
    const { status } = await person.browser.call('GET', led, undefined, { 'sec-fetch-dest': 'image' })
    expect(status).toBe(400)
  })

  it('of a person are ten at most', async () => {
    const visitor = newVisitor()
    const first = await codeUrl(visitor, url, person)
    for (let more = 0; more < 12; more += 1) await codeUrl(visitor, url, person)
    const userId = await idOf(person)
    const { db } = node.installation.store
    expect(await db.select().from(visitCodes).where(eq(visitCodes.userId, userId))).toHaveLength(10)
    expect((await visitor.open(first)).status).toBe(401)
  })
})

describe('a visit', () => {
  it('is of one host and one project', async () => {
    const other = await newProtected(node)
    const visitor = newVisitor()
    await enter(visitor)
    const cookie = visitor.cookieAt(new URL(url).hostname)
    for (const at of [preview, other.url]) expect((await newVisitor().open(at, { cookie })).status).toBe(401)
    expect((await newVisitor().open(url, { cookie })).status).toBe(200)
  })

  it('ends when the person is removed from the team', async () => {
    const visitor = newVisitor()
    const leaver = await newMember(team)
    await enter(visitor, url, leaver)
    expect((await visitor.open(url)).status).toBe(200)
    await team.owner('PUT', `/v1/teams/${team.slug}`, {
      members: [
        { email: null, role: 'owner' },
        { email: person.email, role: 'member' },
      ],
    })
    expect((await visitor.open(url)).status).toBe(401)
  })

  it('lasts eight hours', async () => {
    const visitor = newVisitor()
    await enter(visitor)
    node.clock.aheadMs += 8 * 3_600_000 - 60_000
    expect((await visitor.open(url)).status).toBe(200)
    node.clock.aheadMs += 60_000
    expect((await visitor.open(url)).status).toBe(401)
    node.clock.aheadMs = 0
  })
})

describe('a person of the team', () => {
  it('who is limited to other projects sees no site there, and one who is limited later is out', async () => {
    const made = await newProtected(node)
    const [other, later] = [await newMember(made.team), await newMember(made.team)]
    const visitor = newVisitor()
    await enter(visitor, made.url, later)
    expect((await visitor.open(made.url)).status).toBe(200)
    const list = await made.team.owner('GET', `/v1/teams/${made.team.slug}`)
    const ofOthers = list.body.members.filter(({ role }: { role: string }) => role === 'owner')
    const wanted = [
      ...ofOthers.map(({ email, role }: { email: string | null; role: string }) => ({ email, role })),
      ...[other, later].map(({ email }) => ({ email, role: 'member', projects: [] })),
    ]
    await made.team.owner('PUT', `/v1/teams/${made.team.slug}`, { members: wanted })
    await eventually(async () => expect((await visitor.open(made.url)).status).toBe(401), { limitMs: 1_000 })
    for (const who of [other, later]) {
      const page = await who.browser.visit(signInUrlOf(await newVisitor().open(made.url)))
      expect(page).toMatchObject({ status: 404, text: expect.not.stringContaining('/.well-known/') })
    }
  })

  it('needs the second factor that the team requires', async () => {
    const made = await newProtected(node)
    const who = await newMember(made.team)
    const visitor = newVisitor()
    await enter(visitor, made.url, who)
    expect((await visitor.open(made.url)).status).toBe(200)
    await made.client.teams.requireSecondFactor.mutate({ team: made.team.slug, required: true })
    await eventually(async () => expect((await visitor.open(made.url)).status).toBe(401), { limitMs: 1_000 })
    const page = await who.browser.visit(signInUrlOf(await visitor.open(made.url)))
    expect(page).toMatchObject({ status: 403, text: expect.stringContaining('requires a second factor') })
    await node.installation.store.db
      .update(sessions)
      .set({ provenBy: 'second_factor' })
      .where(eq(sessions.userId, await idOf(who)))
    await enter(visitor, made.url, who)
    expect((await visitor.open(made.url)).status).toBe(200)
  })
})
