/** The password of a site: set by owners, tried in the form of the page, a few times a minute. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import type { TestNode } from '../../support/node.ts'
import { addMember } from '../../support/team.ts'
import { newVisitor, type Visited, type Visitor } from '../../support/visitor.ts'
import { newProtected } from './protected-site.ts'

let node: TestNode
let site: Awaited<ReturnType<typeof newProtected>>
let addresses = 0

const password = 'open sesame'

beforeAll(async () => {
  knowSecret('a password', password)
  node = await startOwnNode({ SVC_TRUSTED_PROXIES: '127.0.0.1' })
  site = await newProtected(node)
  await setPassword(password)
})

afterAll(() => node.stop())

async function setPassword(to: string | null) {
  const { status, body } = await site.team.owner('PUT', '/v1/projects/web', { password: to })
  expect(status).toBe(200)
  return body
}

/** An address that nobody else has. */
const newAddress = () => {
  addresses += 1
  return `192.0.2.${addresses}`
}

const nonceOf = ({ text }: Visited) => /name="nonce" value="([^"]+)"/.exec(text)?.[1] ?? ''

type Try = { secret?: string; at?: string; from?: string; path?: string }

/** Opens the page, and sends its form. */
async function tryPassword(
  visitor: Visitor,
  { secret = password, at = site.url, from = newAddress(), path = '/' }: Try = {},
): Promise<Visited> {
  const nonce = nonceOf(await visitor.open(at))
  const fields = { path, nonce, password: secret }
  return visitor.submit(`${at}.well-known/svc/password`, fields, { 'x-forwarded-for': from })
}

describe('a password', () => {
  it('is set by owners alone, has eight characters at least, and is kept as a hash', async () => {
    const member = await addMember(node, site.team)
    expect((await member.api('PUT', '/v1/projects/web', { password: 'long enough' })).status).toBe(403)
    for (const short of ['seven77', ''])
      expect(await site.team.owner('PUT', '/v1/projects/web', { password: short })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'password' }] },
      })
    const { body } = await site.team.owner('GET', '/v1/projects/web')
    expect(body).toMatchObject({ password_set: true })
    expect(body).not.toHaveProperty('password')
    const stored = JSON.stringify(await node.installation.store.db.select().from(projects))
    expect(stored).not.toContain(password)
  })

  it('opens the host where it was typed, and leads to the page that was wanted', async () => {
    const visitor = newVisitor()
    const opened = await tryPassword(visitor, { path: '/index.html?a=1' })
    expect(opened).toMatchObject({ status: 303, location: '/index.html?a=1' })
    expect(opened.cookies[0]).toMatch(/^svc_visit=password\..+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect((await visitor.open(site.url)).status).toBe(200)
    expect((await visitor.open(site.preview)).status).toBe(401)
  })

  it('that is wrong, or of another site, opens nothing, and the page says so', async () => {
    const other = await newProtected(node)
    await other.team.owner('PUT', '/v1/projects/web', { password: 'another password' })
    for (const secret of ['wrong', '', 'another password']) {
      const { status, text, cookies } = await tryPassword(newVisitor(), { secret })
      expect({ status, isSaid: text.includes('not the password') }).toEqual({ status: 401, isSaid: true })
      expect(cookies.join()).not.toContain('svc_visit')
    }
  })

  it.each(['//evil.test', '/\\evil.test', 'https://evil.test', '/x\r\nset-cookie: a=b'])(
    'never leads to another host: %j',
    async (path) => {
      const { location } = await tryPassword(newVisitor(), { path })
      expect(location).toMatch(/^\/(?![/\\])/)
    },
  )

  it('is not taken from the form of another site, whose visitors have no nonce', async () => {
    const stranger = nonceOf(await newVisitor().open(site.url))
    const sent = { path: '/', nonce: stranger, password }
    const to = `${site.url}.well-known/svc/password`
    for (const visitor of [newVisitor(), newVisitor()])
      expect((await visitor.submit(to, sent)).status).toBe(401)
    expect((await newVisitor().submit(to, sent, { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await newVisitor().submit(to, { ...sent, path: 'x'.repeat(9_000) })).status).toBe(400)
  })

  it('opens nothing where there is none, or nothing is protected', async () => {
    const other = await newProtected(node)
    const to = `${other.url}.well-known/svc/password`
    expect((await newVisitor().open(other.url)).text).not.toContain('<form')
    expect((await newVisitor().submit(to, { password })).status).toBe(404)
    await other.team.owner('PUT', '/v1/projects/web', { password: 'another password', protection: 'none' })
    expect((await newVisitor().submit(to, { password: 'another password' })).status).toBe(404)
    expect((await newVisitor().open(other.url)).status).toBe(200)
  })

  it('ends visits when it changes or is removed, and not when it is set again as it is', async () => {
    const visitor = newVisitor()
    await tryPassword(visitor)
    await setPassword(password)
    expect((await visitor.open(site.url)).status).toBe(200)
    await setPassword('another password')
    expect((await visitor.open(site.url)).status).toBe(401)
    expect((await tryPassword(newVisitor())).status).toBe(401)
    const next = newVisitor()
    expect((await tryPassword(next, { secret: 'another password' })).status).toBe(303)
    expect(await setPassword(null)).toMatchObject({ password_set: false })
    expect((await next.open(site.url)).status).toBe(401)
    await setPassword(password)
  })
})

describe('tries', () => {
  const statuses = async (from: string[]) => {
    const visitor = newVisitor()
    const all = []
    for (const address of from)
      all.push((await tryPassword(visitor, { secret: 'wrong', from: address })).status)
    return all
  }

  it('are five a minute for an address, also with the right one, whatever site it is', async () => {
    const from = newAddress()
    expect(await statuses(Array.from({ length: 6 }, () => from))).toEqual([401, 401, 401, 401, 401, 429])
    const refused = await tryPassword(newVisitor(), { from })
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/Too many tries\. Try again in \d+ s\./)
    expect((await tryPassword(newVisitor())).status).toBe(303)
  })

  it('of one customer’s IPv6 network are one address’s', async () => {
    const from = Array.from({ length: 6 }, (_, at) => `2001:db8:7:1::${at}`)
    expect(await statuses(from)).toEqual([401, 401, 401, 401, 401, 429])
    expect(await statuses(['2001:db8:7:2::1'])).toEqual([401])
  })
})
