/** Mails to members who chose them, through a mail server on a real socket. */
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSender } from '../../../../src/platform/webhooks/delivery/attempt.ts'
import { startDeliveries } from '../../../../src/platform/webhooks/delivery/delivery-loop.ts'
import { createMailer } from '../../../../src/platform/webhooks/mails/send-mails.ts'
import { members, users } from '../../../../src/stores/db/schema/teams.ts'
import { deliveries } from '../../../../src/stores/db/schema/webhooks.ts'
import { recordEvents } from '../../../../src/stores/events/record-events.ts'
import { callRpc } from '../../../api/server/call-procedure.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { eventually } from '../../../support/eventually.ts'
import { createTestLog } from '../../../support/kept-logs.ts'
import { addLimited } from '../../../support/limits.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { newSession } from '../../../support/session.ts'
import { type SmtpServer, smtpPassword, startSmtpServer } from '../../../support/smtp-server.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'

let smtp: SmtpServer
let node: TestNode
let team: TestTeam
let stop: () => Promise<void>

/** Where the links in mails lead: over https, for one click. */
const apiUrl = 'https://svc.example.com'

beforeAll(async () => {
  smtp = await startSmtpServer()
  node = await startOwnNode(smtp.settings)
  return async () => {
    await node.stop()
    await smtp.close()
  }
})

beforeEach(async () => {
  node.clock.aheadMs = 0
  smtp.manner = 'polite'
  smtp.mails.length = 0
  team = await newTeam(node)
  const { store, keys } = node.installation
  const server = { host: '127.0.0.1', port: smtp.port, isSecure: false, user: 'svc', password: smtpPassword }
  const route = { server, from: { name: 'svc', address: 'svc@example.com' } }
  const nowMs = () => Date.now() + node.clock.aheadMs
  stop = startDeliveries({
    ...{ store, nowMs, apiUrl: () => apiUrl, key: keys.webhooks, log: createTestLog(node.logged) },
    mailer: createMailer({ store, route, apiUrl: () => apiUrl, nowMs }),
    sender: createSender({ allowPrivate: true, resolvers: undefined }),
  })
})

afterEach(async () => {
  await stop()
  await node.installation.store.db.delete(deliveries)
})

const db = () => node.installation.store.db

/** Proves an address of the user's, and signs the user in. */
async function person(userId: string) {
  const email = `${unique('ada')}@example.com`
  await db().update(users).set({ email, emailVerified: true }).where(eq(users.id, userId))
  const { token } = await newSession(node, userId)
  const choose = (webhook: string, isChosen = true) =>
    callRpc(node, token, isChosen ? 'webhooks.subscribe' : 'webhooks.unsubscribe', { webhook })
  const offered = async () => Object((await callRpc(node, token, 'webhooks.mails', {})).body).result.data
  return { userId, email, token, choose, offered }
}

async function newMails(input: object = {}): Promise<string> {
  const { status, body } = await team.owner('POST', '/v1/webhooks', { format: 'mail', ...input })
  expect(status).toBe(200)
  expect(body).toMatchObject({ format: 'mail', url: '' })
  expect(body).not.toHaveProperty('secret')
  await untilLast(body.id, { status: 'delivered', sent_to: 0 })
  return body.id
}

const read = async (id: string) => (await team.owner('GET', `/v1/webhooks/${id}`)).body

const untilLast = (id: string, expected: object) =>
  eventually(async () => expect((await read(id)).deliveries[0]).toMatchObject(expected))

async function project(name: string): Promise<string> {
  return (await team.owner('PUT', `/v1/projects/${name}`)).body.id
}

/** A build of the project fails. */
async function fail(projectId: string, name: string, deploymentId = 'dpl_1'): Promise<void> {
  const deployment = {
    id: deploymentId,
    project: name,
    target: 'production' as const,
    state: 'error' as const,
    url: 'https://web-1.svc.site',
    meta: { message: 'fix\r\nBcc: victim@example.com https://evil.example' },
    error: {
      reason: 'build_failed',
      message: 'npm run build ended with 1.',
      excerpt: ['index.ts: error TS1: no', 'index.ts: error TS2: no'],
    },
    created_by: team.ownerId,
    created_ms: 1,
  }
  await node.installation.store.transact((tx) =>
    recordEvents(tx, { origin: null, nowMs: Date.now() }, [
      { teamId: team.id, type: 'deployment.error', projectId, deploymentId, data: { deployment } },
    ]),
  )
}

const recipients = () => smtp.mails.flatMap(({ to }) => to).toSorted()

describe('mails of a team', () => {
  it('go to members who chose them, with the lines that say why, and nobody’s text in headers', async () => {
    const webId = await project('web')
    const id = await newMails()
    const ada = await person(team.ownerId)
    await person((await addMember(node, team)).userId)
    expect((await ada.choose(id)).body).toMatchObject({ result: { data: { webhook: id, chosen: true } } })
    await fail(webId, 'web')
    await untilLast(id, { status: 'delivered', sent_to: 1, http_status: null, error: null })
    expect(recipients()).toEqual([ada.email])
    const [mail] = smtp.mails
    expect(mail?.headers.get('subject')).toEqual(['Deployment failed'])
    expect(mail?.headers.get('auto-submitted')).toEqual(['auto-generated'])
    expect(mail?.headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
    expect(mail?.headers.get('list-unsubscribe')?.[0]).toMatch(
      /^<https:\/\/svc\.example\.com\/auth\/mails\/stop\?/,
    )
    expect([...(mail?.headers ?? [])].join()).not.toMatch(/victim|evil|fix/)
    expect(mail?.headers.has('bcc')).toBe(false)
    expect(mail?.text).toContain(
      '    npm run build ended with 1.\n    index.ts: error TS1: no\n    index.ts: error TS2: no\n',
    )
    expect(mail?.text).toContain(`${apiUrl}/${team.slug}/web/deployments/dpl_1`)
    expect(mail?.text).not.toContain('https://evil')
    const listed = await callRpc(node, team.ownerKey, 'webhooks.deliveries', { webhook: id })
    expect(JSON.stringify(listed.body)).not.toContain(ada.email)
    const [{ id: delivery }] = (await read(id)).deliveries
    await callRpc(node, team.ownerKey, 'webhooks.redeliver', { webhook: id, delivery })
    await eventually(() => expect(recipients()).toEqual([ada.email, ada.email]))
    await callRpc(node, team.ownerKey, 'webhooks.test', { webhook: id })
    await eventually(() => expect(smtp.mails.at(-1)?.headers.get('subject')).toEqual(['Test message']))
  })

  it('that concern a limited member’s projects are all that it is offered, and gets', async () => {
    const [webId, docsId] = [await project('web'), await project('docs')]
    const [all, ofDocs, ofBoth] = [
      await newMails(),
      await newMails({ projects: ['docs'] }),
      await newMails({ projects: ['docs', 'web'] }),
    ]
    const limited = await person((await addLimited(node, team, [webId])).userId)
    const offered: { webhook: string; projects: string[] | null }[] = await limited.offered()
    expect(offered.map(({ webhook, projects }) => [webhook, projects])).toEqual([
      [ofBoth, ['web']],
      [all, null],
    ])
    expect((await limited.choose(ofDocs)).status).toBe(404)
    expect((await limited.choose(all)).status).toBe(200)
    await fail(docsId, 'docs')
    await untilLast(all, { status: 'delivered', sent_to: 0 })
    await fail(webId, 'web')
    await untilLast(all, { status: 'delivered', sent_to: 1 })
    expect(recipients()).toEqual([limited.email])
  })

  it('reach nobody who has left, was never proven, or has ended them', async () => {
    const webId = await project('web')
    const id = await newMails()
    const [gone, stays] = [
      await person((await addMember(node, team)).userId),
      await person((await addMember(node, team)).userId),
    ]
    for (const { choose } of [gone, stays]) expect((await choose(id)).status).toBe(200)
    await db().delete(members).where(eq(members.userId, gone.userId))
    await db().insert(members).values({ teamId: team.id, userId: gone.userId, role: 'member', joinedMs: 2 })
    const unproven = await person((await addMember(node, team)).userId)
    await db().update(users).set({ emailVerified: false }).where(eq(users.id, unproven.userId))
    expect(await unproven.choose(id)).toMatchObject({ status: 400, body: { error: expect.anything() } })
    await fail(webId, 'web')
    await untilLast(id, { status: 'delivered', sent_to: 1 })
    expect(recipients()).toEqual([stays.email])
    expect((await stays.choose(id, false)).body).toMatchObject({ result: { data: { chosen: false } } })
    await fail(webId, 'web')
    await untilLast(id, { status: 'delivered', sent_to: 0 })
    expect(recipients()).toHaveLength(1)
  })

  it('that the server takes later go to those alone who have got none', async () => {
    const webId = await project('web')
    const id = await newMails()
    const [ada, grace] = [await person(team.ownerId), await person((await addMember(node, team)).userId)]
    await ada.choose(id)
    await grace.choose(id)
    smtp.manner = 'closing'
    await fail(webId, 'web')
    await untilLast(id, { status: 'pending', sent_to: 0, error: 'The mail server did not take it.' })
    expect((await read(id)).failing_since_ms).not.toBeNull()
    await db()
      .update(deliveries)
      .set({ sentTo: [ada.userId] })
      .where(eq(deliveries.id, (await read(id)).deliveries[0].id))
    smtp.manner = 'polite'
    node.clock.aheadMs += 10_000
    node.installation.store.changes.publish({ kind: 'work', id: 'deliveries' })
    await untilLast(id, { status: 'delivered', sent_to: 2, attempts: 2 })
    expect(recipients()).toEqual([grace.email])
    expect((await read(id)).failing_since_ms).toBeNull()
  })

  it('that the server refuses for good are not tried again', async () => {
    const webId = await project('web')
    const id = await newMails()
    await (await person(team.ownerId)).choose(id)
    smtp.manner = 'refusing'
    await fail(webId, 'web')
    await untilLast(id, { status: 'failed', sent_to: 0, error: 'The mail server refused 1.' })
    expect(JSON.stringify(node.logged)).not.toContain('no such mailbox')
  })

  it('are at most thirty an hour to a person', async () => {
    const webId = await project('web')
    const id = await newMails()
    await (await person(team.ownerId)).choose(id)
    for (let index = 0; index < 31; index += 1) await fail(webId, 'web')
    await eventually(async () => {
      const states = (await read(id)).deliveries.map(({ status }: { status: string }) => status)
      expect(states).not.toContain('pending')
    })
    await eventually(() => expect(smtp.mails).toHaveLength(30))
    const rows = await db().select().from(deliveries).where(eq(deliveries.status, 'failed'))
    expect(rows).toMatchObject([{ error: '1 were left out: too many mails within an hour.' }])
    expect((await read(id)).enabled).toBe(true)
  })
})

describe('the link in a mail', () => {
  async function linkOf() {
    const webId = await project('web')
    const id = await newMails()
    const ada = await person(team.ownerId)
    await ada.choose(id)
    await fail(webId, 'web')
    await untilLast(id, { sent_to: 1 })
    const [link = ''] = smtp.mails[0]?.headers.get('list-unsubscribe') ?? []
    return { ada, url: link.slice(1, -1).replace(apiUrl, node.apiUrl) }
  }

  it('asks first, and ends them by its form', async () => {
    const { ada, url } = await linkOf()
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('End these mails')])
    expect(await ada.offered()).toMatchObject([{ chosen: true }])
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await fetch(url, form)).status).toBe(200)
    expect(await ada.offered()).toMatchObject([{ chosen: false }])
    expect((await fetch(url, form)).status).toBe(200)
  })

  it('ends them with one click of a mail program, from any site', async () => {
    const { ada, url } = await linkOf()
    const body = new FormData()
    body.set('List-Unsubscribe', 'One-Click')
    expect(
      (await fetch(url, { method: 'POST', body, headers: { origin: 'https://mail.example' } })).status,
    ).toBe(200)
    expect(await ada.offered()).toMatchObject([{ chosen: false }])
  })

  it('is for one person alone', async () => {
    const { ada, url } = await linkOf()
    const other = new URL(url)
    other.searchParams.set(
      'user',
      team.ownerId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    )
    const short = new URL(url)
    short.searchParams.set('token', '')
    for (const each of [other, short, new URL(`${node.apiUrl}/auth/mails/stop`)]) {
      for (const method of ['GET', 'POST']) expect((await fetch(each, { method })).status).toBe(404)
    }
    expect(await ada.offered()).toMatchObject([{ chosen: true }])
  })
})

it('a key signs nobody up', async () => {
  const id = await newMails()
  expect((await callRpc(node, team.ownerKey, 'webhooks.subscribe', { webhook: id })).status).toBe(403)
})
