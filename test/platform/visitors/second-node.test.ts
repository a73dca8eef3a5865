/** Visits at the edge of another node: they end within a second, and a code works once for all nodes. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { newPerson, signIn } from '../../support/person.ts'
import { newVisitor, refreshUrlOf, signInUrlOf } from '../../support/visitor.ts'
import { newProtected, newShareLink } from './protected-site.ts'

// The embedded database has only one node.
describe.runIf(process.env.TEST_ON)('at another node', () => {
  let one: TestNode
  let other: TestNode
  let site: Awaited<ReturnType<typeof newProtected>>
  let url: string

  beforeAll(async () => {
    one = await startOwnNode()
    other = await startTestNode({
      SVC_ROLES: 'edge',
      SVC_DATA_DIR: `${one.settings.SVC_DATA_DIR}-other`,
      DATABASE_URL: String(one.settings.DATABASE_URL),
      SVC_URL: one.apiUrl,
    })
    site = await newProtected(one)
    url = at(other, site.url)
  })

  afterAll(async () => {
    await other.stop()
    await one.stop()
  })

  /** The same host at a node's own port. */
  const at = (node: TestNode, address: string) => {
    const moved = new URL(address)
    moved.port = new URL(node.sitesUrl).port
    return moved.href
  }

  async function newMember() {
    const person = await signIn(one, await newPerson(one))
    const { db } = one.installation.store
    const [user] = await db.select().from(users).where(eq(users.email, person.email))
    const userId = user?.id ?? ''
    await db.insert(members).values({ teamId: site.team.id, userId, role: 'member', joinedMs: Date.now() })
    return { ...person, userId }
  }

  /** Whether a visit that was let in has ended within a second of `end`. */
  async function endsWithin(cookie: string, end: () => Promise<unknown>): Promise<boolean> {
    // Whether there are files is another question: this node has a directory of its own.
    const isIn = async () => (await newVisitor().open(url, { cookie })).status !== 401
    expect(await isIn()).toBe(true)
    await end()
    const sinceMs = performance.now()
    while (await isIn()) if (performance.now() - sinceMs > 1_000) return false
    return true
  }

  const cookieOf = (visitor: ReturnType<typeof newVisitor>) => visitor.cookieAt(new URL(url).hostname)

  it('a code works once, whichever node takes it, and the visit ends when its person leaves', async () => {
    const person = await newMember()
    const visitor = newVisitor()
    const code = refreshUrlOf(await person.browser.visit(signInUrlOf(await visitor.open(url))))
    const both = await Promise.all([visitor.open(at(one, code)), visitor.open(at(other, code))])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 401])
    const removal = () =>
      site.team.owner('PUT', `/v1/teams/${site.team.slug}`, { members: [{ email: null, role: 'owner' }] })
    expect(await endsWithin(cookieOf(visitor), removal)).toBe(true)
  })

  it('a visit ends when its link is revoked', async () => {
    const { id, url: link } = await newShareLink(site)
    const visitor = newVisitor()
    await visitor.open(link)
    const revocation = () => site.client.links.revoke.mutate({ project: 'web', id })
    expect(await endsWithin(cookieOf(visitor), revocation)).toBe(true)
  })

  it('a visit of a person ends with the other sessions, and where no notification is sent', async () => {
    const person = await newMember()
    const enter = async () => {
      const visitor = newVisitor()
      const page = await person.browser.visit(signInUrlOf(await visitor.open(url)))
      await visitor.open(refreshUrlOf(page))
      return cookieOf(visitor)
    }
    const aloud = () => person.call('POST', '/revoke-other-sessions')
    expect(await endsWithin(await enter(), aloud)).toBe(true)
    const silently = () =>
      one.installation.store.db.update(users).set({ visitVersion: 7 }).where(eq(users.id, person.userId))
    expect(await endsWithin(await enter(), silently)).toBe(true)
    expect(await enter()).toContain(`${person.userId}-7.`)
  })

  it('a visit ends even where no notification is sent', async () => {
    const { url: link } = await newShareLink(site)
    const visitor = newVisitor()
    await visitor.open(link)
    const silently = () =>
      one.installation.store.db.execute(sql`update projects set access_version = access_version + 1`)
    expect(await endsWithin(cookieOf(visitor), silently)).toBe(true)
  })
})
