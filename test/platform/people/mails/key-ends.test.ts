/** Mails about keys that end within a week, to a mail server on a real socket. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { createOutbox, type Outbox } from '../../../../src/platform/mail/outbox.ts'
import { mailKeyEnds } from '../../../../src/platform/people/mails/key-ends.ts'
import { keyEnds } from '../../../../src/stores/db/schema/key-ends.ts'
import { users } from '../../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { newLimitedKey } from '../../../support/limits.ts'
import type { TestNode } from '../../../support/node.ts'
import { type SmtpServer, startSmtpServer } from '../../../support/smtp-server.ts'
import { addMember, newTeam } from '../../../support/team.ts'
import { nameOwner, newEmail } from '../../teams/people.ts'

const dayMs = 86_400_000

let smtp: SmtpServer
let node: TestNode

beforeAll(async () => {
  smtp = await startSmtpServer()
  // Without a worker: the notices are sent when a test says so.
  node = await startOwnNode({ SVC_ROLES: 'api,edge' })
})

afterAll(async () => {
  await node.stop()
  await smtp.close()
})

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email))

function newOutbox(): Outbox {
  const { host, port } = { host: '127.0.0.1', port: smtp.port }
  const route = {
    server: { host, port, isSecure: false, user: undefined, password: undefined },
    from: { name: 'svc', address: 'svc@example.com' },
  }
  return createOutbox(route, createLogger({ write: () => {} }))
}

/** Sends what is due then, by as many nodes at once, and waits until it is sent. */
async function notify(nowMs: number, nodes = 1) {
  const outboxes = Array.from({ length: nodes }, newOutbox)
  const { store } = node.installation
  const apiUrl = 'https://svc.example.com'
  await Promise.all(outboxes.map((outbox) => mailKeyEnds({ store, outbox, apiUrl, nowMs })))
  await Promise.all(outboxes.map((outbox) => outbox.close()))
}

it('the owners get one mail a week before, from whichever node comes first', async () => {
  const team = await newTeam(node)
  const owner = await nameOwner(node, team)
  const [second, member, unproven] = [newEmail(), newEmail(), newEmail()]
  const people = [
    [await addMember(node, team, 'owner'), second, true],
    [await addMember(node, team), member, true],
    [await addMember(node, team, 'owner'), unproven, false],
  ] as const
  for (const [{ userId }, email, emailVerified] of people)
    await node.installation.store.db.update(users).set({ email, emailVerified }).where(eq(users.id, userId))
  const endsMs = Date.now() + 30 * dayMs
  await newLimitedKey(team, { name: 'deploys from CI', expires_ms: endsMs })
  await newLimitedKey(team, { name: 'see https://evil.example', expires_ms: endsMs + dayMs / 2 })
  await notify(endsMs - 8 * dayMs, 2)
  expect(mailsTo(owner)).toEqual([])
  await notify(endsMs - 6 * dayMs, 4)
  await notify(endsMs - 5 * dayMs, 2)
  const [mail, ...more] = mailsTo(owner)
  expect(more).toEqual([])
  expect(mail?.text).toContain(`deploys from CI (svc_`)
  expect(mail?.text).toContain(new Date(endsMs).toISOString().slice(0, 10))
  expect(mail?.text).toContain(`https://svc.example.com/${team.slug}/~/settings/keys`)
  expect(mail?.text).not.toContain('evil')
  expect(mail?.headers.get('subject')).toEqual(['2 API keys are about to end'])
  expect(mailsTo(second)).toHaveLength(1)
  expect([...mailsTo(member), ...mailsTo(unproven)]).toEqual([])
})

it('no key that ends within a week of its making has one, nor one that is revoked or has ended', async () => {
  const team = await newTeam(node)
  const owner = await nameOwner(node, team)
  const nowMs = Date.now()
  await newLimitedKey(team, { expires_ms: nowMs + 5 * dayMs })
  const { id } = await newLimitedKey(team, { expires_ms: nowMs + 10 * dayMs })
  expect((await team.owner('DELETE', `/v1/apikeys/${id}`)).status).toBe(200)
  await notify(nowMs + 4 * dayMs)
  await newLimitedKey(team, { expires_ms: nowMs + 10 * dayMs })
  await notify(nowMs + 11 * dayMs)
  expect(mailsTo(owner)).toEqual([])
})

it('a mail names twenty of many keys, and has those of one team alone', async () => {
  const [team, other] = [await newTeam(node), await newTeam(node)]
  const [owner, stranger] = [await nameOwner(node, team), await nameOwner(node, other)]
  const endsMs = Date.now() + 20 * dayMs
  for (let at = 0; at < 22; at += 1) await newLimitedKey(team, { name: `key ${at}`, expires_ms: endsMs })
  await newLimitedKey(other, { name: 'stranger', expires_ms: endsMs })
  await notify(endsMs - dayMs)
  const text = mailsTo(owner)[0]?.text ?? ''
  expect(text.match(/ {2}key \d+ \(svc_/g)).toHaveLength(20)
  expect(text).toContain('and 2 more')
  expect(text).not.toContain('stranger')
  expect(mailsTo(stranger)[0]?.text).toContain('stranger')
  const left = await node.installation.store.db.select().from(keyEnds).where(eq(keyEnds.step, 'notice'))
  expect(left).toEqual([])
})
