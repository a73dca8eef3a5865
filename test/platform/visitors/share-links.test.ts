/** Share links: made by members, opened by anybody, revoked within a second. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { shareLinks } from '../../../src/stores/db/schema/visitors.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember } from '../../support/team.ts'
import { newVisitor } from '../../support/visitor.ts'
import { newProtected, newShareLink } from './protected-site.ts'

let node: TestNode
let site: Awaited<ReturnType<typeof newProtected>>

beforeAll(async () => {
  node = await sharedNode()
  site = await newProtected(node)
})

const dayMs = 86_400_000

const refused = (reason: string, message = expect.any(String)) =>
  expect.objectContaining({ data: expect.objectContaining({ reason, message }) })

describe('a link', () => {
  it('is made by a member, for a week, with an address that only this answer has', async () => {
    const member = await addMember(node, site.team)
    const client = createClient({ url: node.apiUrl, token: member.key, retry: false })
    const link = await newShareLink({ client })
    const { host } = new URL(site.url)
    expect(link).toEqual({
      id: expect.stringMatching(/^lnk_[0-9a-f]{32}$/),
      host: host.replace(/:\d+$/, ''),
      url: expect.stringMatching(new RegExp(`^${site.url}\\?x-svc-share=[\\w-]{32}$`)),
      created_by: member.userId,
      created_by_name: 'member',
      created_ms: expect.any(Number),
      expires_ms: expect.any(Number),
      ended: null,
      project: 'web',
      open: false,
    })
    expect(link.expires_ms - link.created_ms).toBe(7 * dayMs)
    const { data } = await client.links.list.query({ project: 'web' })
    const { url: _, project: __, open: ___, ...kept } = link
    expect(data[0]).toEqual(kept)
    const stored = JSON.stringify(await node.installation.store.db.select().from(shareLinks))
    expect(stored).not.toContain(new URL(link.url).searchParams.get('x-svc-share'))
  })

  it('opens its host for whoever has it, as often as they like, and leads to the clean address', async () => {
    const { url } = await newShareLink(site)
    for (const visitor of [newVisitor(), newVisitor()]) {
      const opened = await visitor.open(`${url}&a=1`)
      expect(opened).toMatchObject({ status: 303, location: '/?a=1' })
      expect(opened.cookies[0]).toMatch(/^svc_visit=lnk_.+; Path=\/; HttpOnly; SameSite=Lax$/)
      expect((await visitor.open(site.url)).status).toBe(200)
      expect((await visitor.open(site.preview)).status).toBe(401)
    }
  })

  it('is not used up by HEAD or a program that looks first', async () => {
    const { url } = await newShareLink(site)
    expect((await newVisitor().open(url, {}, 'HEAD')).status).toBe(303)
    expect((await newVisitor().open(url, { accept: '*/*', 'sec-purpose': 'prefetch' })).status).toBe(303)
    expect((await newVisitor().open(url)).status).toBe(303)
  })

  it.each(['//evil.test/', '/%2f%2fevil.test/'])('never leads to another host: %s', async (path) => {
    const { url } = await newShareLink(site)
    const { location } = await newVisitor().open(url.replace(/([^/])\/\?/, `$1${path}?`))
    expect(new URL(location ?? '', site.url).origin).toBe(new URL(site.url).origin)
  })

  it('opens a preview, or a domain, and no other host', async () => {
    const domain = `${unique('shop')}.example.com`
    const { body: project } = await site.team.owner('GET', '/v1/projects/web')
    await claim(node, { id: site.team.id }, domain, { proven: true, project: project.id })
    for (const host of [new URL(site.preview).hostname, domain]) {
      const link = await newShareLink(site, { host })
      expect(new URL(link.url).hostname).toBe(host)
      expect((await newVisitor().open(link.url)).status).toBe(303)
      const elsewhere = new URL(link.url)
      elsewhere.hostname = new URL(site.url).hostname
      expect((await newVisitor().open(elsewhere.href)).status).toBe(401)
    }
  })

  it('is 400 for a host of another project, a time that is over, and one beyond 90 days', async () => {
    const other = await newProtected(node)
    for (const host of [new URL(other.url).hostname, 'localhost', 'no-such-site.example.com', ''])
      await expect(newShareLink(site, { host })).rejects.toEqual(refused('invalid_input'))
    for (const expires_ms of [Date.now() - 1, Date.now() + 91 * dayMs])
      await expect(newShareLink(site, { expires_ms })).rejects.toEqual(refused('invalid_input'))
  })

  it('ends at its time, and so does the visit', async () => {
    const { url } = await newShareLink(site, { expires_ms: Date.now() + 60_000 })
    const visitor = newVisitor()
    await visitor.open(url)
    node.clock.aheadMs = 60_000
    expect((await visitor.open(site.url)).status).toBe(401)
    expect((await newVisitor().open(url)).text).toContain('This link has ended')
    node.clock.aheadMs = 0
  })

  it('ends at once when it is revoked, and so does the visit', async () => {
    const { id, url } = await newShareLink(site)
    const visitor = newVisitor()
    await visitor.open(url)
    await site.client.links.revoke.mutate({ project: 'web', id })
    expect((await visitor.open(site.url)).status).toBe(401)
    expect((await newVisitor().open(url)).status).toBe(401)
    await expect(site.client.links.revoke.mutate({ project: 'web', id })).rejects.toEqual(
      refused('share_link_not_found'),
    )
  })

  it('of another project is 404', async () => {
    const other = await newProtected(node)
    const { id } = await newShareLink(other)
    await expect(site.client.links.revoke.mutate({ project: 'web', id })).rejects.toEqual(
      refused('share_link_not_found'),
    )
  })

  it('is one of fifty a project at most', async () => {
    const other = await newProtected(node)
    for (let made = 0; made < 50; made += 1) await newShareLink(other)
    await expect(newShareLink(other)).rejects.toEqual(refused('too_many_share_links'))
    node.clock.aheadMs = 8 * dayMs
    await newShareLink(other)
    expect((await other.client.links.list.query({ project: 'web' })).data).toHaveLength(1)
    node.clock.aheadMs = 0
  })

  it('ends with its project', async () => {
    const other = await newProtected(node)
    await newShareLink(other)
    expect((await other.team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
  })
})

it('making and revoking one is in the audit log, without the secret', async () => {
  const { id, url } = await newShareLink(site)
  await site.client.links.revoke.mutate({ project: 'web', id })
  const { data } = await site.client.observability.logs.query({ kind: 'audit', q: 'web' })
  expect(JSON.stringify(data)).toMatch(/revoked share link lnk_.*made share link lnk_/)
  expect(JSON.stringify(data)).not.toContain(new URL(url).searchParams.get('x-svc-share'))
})
