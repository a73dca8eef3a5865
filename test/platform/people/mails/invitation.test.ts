/** Invitations by mail, to a mail server on a real socket. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { insertPerson } from '../../../../src/platform/people/sign-up.ts'
import { personLinks } from '../../../../src/stores/db/schema/people.ts'
import { teams, users } from '../../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { newBrowser } from '../../../support/browser.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { callsOf, clientOf, newPerson, signIn, useLink } from '../../../support/person.ts'
import { linkIn, type SmtpServer, startSmtpServer } from '../../../support/smtp-server.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { nameOwner, newEmail, newSignedIn } from '../../teams/people.ts'

const dayMs = 86_400_000

let smtp: SmtpServer
let node: TestNode

beforeAll(async () => {
  smtp = await startSmtpServer()
  node = await startOwnNode(smtp.settings)
})

afterEach(() => {
  node.clock.aheadMs = 0
  smtp.manner = 'polite'
})

afterAll(async () => {
  await node.stop()
  await smtp.close()
})

const self = { email: null, role: 'owner' }

/** Invites these addresses alone. */
const invite = (team: TestTeam, ...emails: string[]) =>
  team.owner('PUT', `/v1/teams/${team.slug}`, {
    members: [self, ...emails.map((email) => ({ email, role: 'member' }))],
  })

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email))

async function textTo(email: string, mails = 1): Promise<string> {
  await expect.poll(() => mailsTo(email).length).toBe(mails)
  return smtp.textTo(email) ?? ''
}

/** Errands that were added before have found out by then what there is to send. */
async function settle() {
  const email = newEmail()
  await invite(await newTeam(node), email)
  await textTo(email)
}

describe('who is invited and has an account', () => {
  it('gets a mail that names the team, the owner and the role, and leads to signing in', async () => {
    const team = await newTeam(node)
    const owner = await nameOwner(node, team)
    await node.installation.store.db
      .update(users)
      .set({ name: 'Grace Hopper' })
      .where(eq(users.id, team.ownerId))
    await team.owner('PUT', `/v1/teams/${team.slug}`, {
      name: 'Compilers & more',
      members: [
        { email: owner, role: 'owner' },
        { email: (await newPerson(node, `known-${owner}`)).email, role: 'owner' },
      ],
    })
    const text = await textTo(`known-${owner}`)
    expect(text).toContain(
      `Grace Hopper (${owner}) invites you to the team Compilers & more (${team.slug}) at`,
    )
    expect(text).toContain('as an owner.')
    expect(text).toContain(`\n${node.apiUrl}/auth/sign-in\n`)
    expect(text).not.toContain('/auth/link')
  })
})

describe('who is invited and has no account', () => {
  it('makes one with the link, then sees and accepts the invitation', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    await invite(team, email)
    const { token } = linkIn(await textTo(email))
    const browser = newBrowser()
    const page = await useLink(node, token, {}, browser)
    expect(page).toMatchObject({ status: 200, url: `${node.apiUrl}/` })
    const client = clientOf(node, { email, password: '', browser, call: callsOf(node, browser) })
    expect((await client.teams.invitations.query({ limit: 10 })).data).toMatchObject([{ team: team.slug }])
    await client.teams.acceptInvitation.mutate({ team: team.slug })
    expect((await team.owner('GET', `/v1/teams/${team.slug}`)).body.members).toMatchObject([{}, { email }])
  })

  it('can use the link once, for seven days', async () => {
    const [first, second] = [newEmail(), newEmail()]
    await invite(await newTeam(node), first, second)
    const [used, late] = [linkIn(await textTo(first)), linkIn(await textTo(second))]
    node.clock.aheadMs = 7 * dayMs - 60_000
    expect((await useLink(node, used.token)).status).toBe(200)
    expect((await useLink(node, used.token)).status).toBe(404)
    node.clock.aheadMs = 7 * dayMs
    expect((await useLink(node, late.token)).status).toBe(404)
  })

  it('gets an account without the team where the invitation was withdrawn', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    await invite(team, email)
    const { token } = linkIn(await textTo(email))
    await invite(team)
    const browser = newBrowser()
    expect((await useLink(node, token, {}, browser)).status).toBe(200)
    const client = clientOf(node, { email, password: '', browser, call: callsOf(node, browser) })
    expect((await client.teams.invitations.query({ limit: 10 })).data).toEqual([])
    await expect(client.teams.acceptInvitation.mutate({ team: team.slug })).rejects.toThrow('no team')
  })

  it('cannot set the password of an account that was made in another way since', async () => {
    const email = newEmail()
    await invite(await newTeam(node), email)
    const { token } = linkIn(await textTo(email))
    const { store } = node.installation
    const id = newId('user', Date.now())
    await store.transact((tx) =>
      insertPerson(tx, { id, email, emailVerified: true, name: 'Ada' }, Date.now()),
    )
    expect((await useLink(node, token)).status).toBe(404)
  })
})

describe('the response', () => {
  it('is the same for both, and before the mail', async () => {
    smtp.manner = 'silent'
    const { email } = await newPerson(node)
    const [known, unknown] = [await newTeam(node), await newTeam(node)]
    const stranger = newEmail()
    const [one, other] = [await invite(known, email), await invite(unknown, stranger)]
    expect([one.status, other.status]).toEqual([200, 200])
    const plain = (body: { members: object[] }) => body.members.map((each) => Object.keys(each))
    expect(plain(other.body)).toEqual(plain(one.body))
  })
})

describe('a mail is sent', () => {
  it('once, however often the list is sent again', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    await Promise.all([invite(team, email), invite(team, email), invite(team, email.toUpperCase())])
    await team.owner('PUT', `/v1/teams/${team.slug}`, { members: [self, { email, role: 'owner' }] })
    await settle()
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('with the first members of a new team, too', async () => {
    const [own, email] = [newEmail(), newEmail()]
    const { api } = await newSignedIn(node, own)
    const members = [
      { email: own, role: 'owner' },
      { email, role: 'member' },
    ]
    expect((await api('PUT', `/v1/teams/${unique('team')}`, { members })).status).toBe(200)
    expect(await textTo(email)).toContain(`Ada (${own}) invites you`)
  })

  it('not for a change that is refused', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    const members = [self, { email, role: 'member' }]
    expect((await team.owner('PUT', `/v1/teams/${team.slug}`, { members, updated_ms: 1 })).status).toBe(409)
    await settle()
    expect(mailsTo(email)).toEqual([])
  })

  it('not to somebody who declined an invitation of this team', async () => {
    const team = await newTeam(node)
    const person = await newPerson(node)
    await invite(team, person.email)
    await textTo(person.email)
    const client = clientOf(node, await signIn(node, person))
    await client.teams.declineInvitation.mutate({ team: team.slug })
    await invite(team, person.email)
    await settle()
    expect(mailsTo(person.email)).toHaveLength(1)
  })

  it('at most three times an hour to a mailbox, whoever invites', async () => {
    const email = newEmail()
    for (let i = 0; i < 5; i += 1) await invite(await newTeam(node), email)
    await settle()
    expect(mailsTo(email)).toHaveLength(3)
  })

  it('at most fifty times an hour for a team, and none of them delays another team', async () => {
    const team = await newTeam(node)
    const emails = Array.from({ length: 60 }, newEmail)
    await invite(team, ...emails)
    await settle()
    const sent = () => emails.filter((email) => mailsTo(email).length > 0)
    await expect.poll(() => sent().length).toBe(50)
    const { db } = node.installation.store
    const unsent = emails.find((email) => !sent().includes(email)) ?? ''
    expect(await db.select().from(personLinks).where(eq(personLinks.email, unsent))).toEqual([])
  })
})

describe('names', () => {
  it.each([
    ['line breaks', 'Acme\r\nBcc: eve\r\n\r\nClick here', '\nBcc'],
    ['an address', 'You won: https://evil.test/prize', 'evil'],
    ['control characters', 'Acme\u001b]8;;x\u0007\u202eemca', '\u001b'],
  ])('with %s change neither the headers nor the lines of the text', async (_, name, hidden) => {
    const team = await newTeam(node)
    const email = newEmail()
    // Given before such names were refused.
    const { db } = node.installation.store
    await db.update(users).set({ name }).where(eq(users.id, team.ownerId))
    await db.update(teams).set({ name }).where(eq(teams.id, team.id))
    await invite(team, email)
    const text = await textTo(email)
    expect(text.split('\n')[0]).toContain(` invites you to the team `)
    expect(text).not.toContain(hidden)
    const [{ headers, to } = { headers: new Map() }] = mailsTo(email)
    expect(to).toEqual([email])
    expect(headers.get('subject')).toEqual(['An invitation to a team'])
    expect([headers.has('bcc'), headers.get('content-type')]).toEqual([false, ['text/plain; charset=utf-8']])
  })
})
