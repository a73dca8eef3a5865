/**
 * Who proves an address that somebody else has claimed before, with the link of an invitation: the person
 * gets an account on which nothing is the other one's.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../../src/api/client/index.ts'
import { accounts } from '../../../../src/stores/db/schema/people.ts'
import { members } from '../../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type Browser, newBrowser, type Page } from '../../../support/browser.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { startProvider, type TestProvider } from '../../../support/oidc.ts'
import {
  callsOf,
  clientOf,
  newLink,
  type Person,
  password,
  signIn,
  useLink,
} from '../../../support/person.ts'
import { linkIn, type SmtpServer, startSmtpServer } from '../../../support/smtp-server.ts'
import { newTeam } from '../../../support/team.ts'
import { newEmail } from '../people.ts'
import {
  accountOf,
  type Invited,
  invite,
  joined,
  keyClient,
  makeLink,
  membersOf,
  newInvited,
  submitJoin,
  teamsOf,
} from './joining.ts'

let smtp: SmtpServer
let provider: TestProvider
let node: TestNode

beforeAll(async () => {
  smtp = await startSmtpServer()
  provider = await startProvider()
  node = await startOwnNode({ ...smtp.settings, ...provider.settings })
  provider.serve(node.apiUrl)
})

afterAll(async () => {
  await node.stop()
  provider.close()
  await smtp.close()
})

/** The link in the newest mail to this address, of which there are so many. */
async function mailedLink(email: string, mails: number): Promise<string> {
  await expect.poll(() => smtp.mails.filter(({ to }) => to.includes(email)).length).toBe(mails)
  return linkIn(smtp.textTo(email)).token
}

const personIn = (browser: Browser, email: string): Person => ({
  email,
  password,
  browser,
  call: callsOf(node, browser),
})

/** Sets the password of a link's person, who is signed in then. */
async function byLink(email: string, token: string): Promise<Person> {
  const browser = newBrowser()
  expect((await useLink(node, token, {}, browser)).status).toBe(200)
  return personIn(browser, email)
}

async function byOpenId(email: string): Promise<Person> {
  const browser = newBrowser()
  provider.person = { sub: unique('sub'), email, email_verified: true, name: 'Grace' }
  const { body } = await callsOf(node, browser)('POST', '/sign-in/social', { provider: 'oidc' })
  await browser.visit(body.url)
  return personIn(browser, email)
}

/** Proves the address in each way in which a person comes; the invitation brought the first mail. */
const ways: Record<string, (invited: Invited) => Promise<Person>> = {
  'the link in the mail of the invitation': async ({ email }) => byLink(email, await mailedLink(email, 1)),
  "the operator's link": async ({ email }) => byLink(email, (await newLink(node, email)).token),
  'signing in at the OpenID provider': ({ email }) => byOpenId(email),
  'a mail for a forgotten password': async ({ email }) => {
    await mailedLink(email, 1)
    await newBrowser().submit(`${node.apiUrl}/auth/forgot`, { email })
    return byLink(email, await mailedLink(email, 2))
  },
}

/** The inviter joins with the link, in the name of somebody who has never been here, and makes keys. */
async function squat() {
  const invited = await newInvited(node)
  const squatter = await joined(node, invited)
  const client = clientOf(node, squatter)
  const made = await client.tokens.createKey.mutate({ name: 'left behind', role: 'owner' })
  const { user } = await accountOf(node, squatter)
  return { invited, squatter, user, key: made.token ?? '' }
}

describe.each(Object.entries(ways))('a person whose address was claimed before, by %s', (_, come) => {
  it('gets an account of their own, and the invitation', async () => {
    const { invited, squatter, user, key } = await squat()
    const { team, email } = invited
    const person = await come(invited)
    const account = await accountOf(node, person)
    expect(account).toMatchObject({ user: { email }, unproven: false })
    expect(account.user.id).not.toBe(user.id)
    // Nothing of the squatter opens it, nor does the squatter sign in any more.
    expect(await accountOf(node, squatter)).toBeUndefined()
    await expect(signIn(node, squatter)).rejects.toThrow('401')
    expect((await keyClient(node, key).account.get.query({})).user).toEqual({ ...user, email: null })
    const client = clientOf(node, person)
    expect((await client.account.sessions.query({})).data).toHaveLength(1)
    expect((await client.tokens.listKeys.query({})).data).toEqual([])
    // The team invites the address again, and the squatter is out.
    expect(await membersOf(team)).toMatchObject([{ email, joined_ms: null, unproven: false }])
    await client.teams.acceptInvitation.mutate({ team: team.slug })
    expect(await membersOf(team)).toMatchObject([{ email, name: account.user.name, unproven: false }])
  })
})

describe('whoever claimed an address that somebody else has proven', () => {
  it('loses the keys of the team that invited it, and keeps the own team', async () => {
    const { invited, squatter, user } = await squat()
    const { team, email } = invited
    const client = clientOf(node, squatter)
    const [own = ''] = (await teamsOf(node, squatter)).filter((slug) => slug !== team.slug)
    const inTeam = { 'x-svc-team': team.slug, authorization: `Bearer ${tokenOf(squatter)}` }
    const made = await squatter.browser.call('POST', `${node.apiUrl}/v1/apikeys`, { name: 'theirs' }, inTeam)
    const key = JSON.parse(made.text).token
    expect((await keyClient(node, key).teams.list.query({ limit: 10 })).data).toMatchObject([
      { slug: team.slug },
    ])
    const { token: ownKey = '' } = await client.tokens.createKey.mutate({ name: 'own', role: 'owner' })
    await byLink(email, (await newLink(node, email)).token)
    await expect(keyClient(node, key).teams.list.query({ limit: 10 })).rejects.toThrow()
    expect(await keyClient(node, ownKey).teams.get.query({ team: own })).toMatchObject({
      members: [{ email: null, role: 'owner', unproven: true }],
    })
    const { db } = node.installation.store
    expect(await db.select().from(accounts).where(eq(accounts.userId, user.id))).toEqual([])
  })

  it('was limited to projects, as is the person who gets the invitation', async () => {
    const team = await newTeam(node)
    const { body: web } = await team.owner('PUT', '/v1/projects/web')
    await team.owner('PUT', '/v1/projects/secret')
    const email = newEmail()
    const wanted = [
      { email: null, role: 'owner' },
      { email, role: 'member', projects: ['web'] },
    ]
    await team.owner('PUT', `/v1/teams/${team.slug}`, { members: wanted })
    const claimant = await joined(node, { team, email, ...(await makeLink(node, team, email)) })
    const seenBy = async (person: Person) => {
      const cookie = decodeURIComponent(person.browser.cookies('localhost').get('svc.session_token') ?? '')
      const client = createClient({ url: node.apiUrl, token: cookie, team: team.slug, retry: false })
      return (await client.projects.list.query({})).data.map(({ name }) => name)
    }
    expect(await seenBy(claimant)).toEqual(['web'])
    const browser = newBrowser()
    await useLink(node, (await newLink(node, email)).token, {}, browser)
    expect(await membersOf(team)).toMatchObject([{ email, joined_ms: null, projects: [web.id] }])
    const person = personIn(browser, email)
    await clientOf(node, person).teams.acceptInvitation.mutate({ team: team.slug })
    expect(await seenBy(person)).toEqual(['web'])
  })

  it('stays the owner of a team that has no other', async () => {
    const invited = await newInvited(node, { role: 'owner' })
    const { team, email } = invited
    const person = await joined(node, invited)
    const { id } = (await accountOf(node, person)).user
    const { teams } = clientOf(node, person)
    await teams.put.mutate({ team: team.slug, members: [{ email, role: 'owner' }] })
    await byLink(email, (await newLink(node, email)).token)
    const { db } = node.installation.store
    const left = await db.select().from(members).where(eq(members.teamId, team.id))
    expect(left).toMatchObject([{ userId: id, role: 'owner' }])
  })

  it('leaves the invitation alone where the person who proved it is a member already', async () => {
    const { invited } = await squat()
    const { team, email } = invited
    const own = await byLink(email, (await newLink(node, email)).token)
    await clientOf(node, own).teams.acceptInvitation.mutate({ team: team.slug })
    await byLink(email, (await newLink(node, email)).token)
    expect(await membersOf(team)).toHaveLength(1)
  })
})

describe('an unproven person', () => {
  const keep = (person: Person, token: string): Promise<Page> =>
    person.browser.submit(`${node.apiUrl}/auth/link/keep`, { token })

  it('proves the address by mail, and keeps the account with its team, keys and password', async () => {
    const { invited, squatter: person, user, key } = await squat()
    const { email, team } = invited
    await mailedLink(email, 1)
    expect(await accountOf(node, person)).toMatchObject({ unproven: true, proof_by_mail: true })
    expect(await clientOf(node, person).account.proveAddress.mutate({})).toEqual({ email })
    const token = await mailedLink(email, 2)
    const page = await person.browser.visit(`${node.apiUrl}/auth/link?token=${token}`)
    expect(page.text).toContain('Confirm the address, and keep this account')
    await keep(person, token)
    expect(await accountOf(node, person)).toMatchObject({ user, unproven: false, proof_by_mail: false })
    expect(await membersOf(team)).toMatchObject([{ email, unproven: false }])
    expect((await keyClient(node, key).account.get.query({})).user).toEqual(user)
    await signIn(node, person)
    expect((await keep(person, token)).status).toBe(404)
    await expect(clientOf(node, person).account.proveAddress.mutate({})).rejects.toThrow('still to be proven')
    // Other invitations count from now on.
    const other = await newTeam(node)
    await invite(other, { email })
    await clientOf(node, person).teams.acceptInvitation.mutate({ team: other.slug })
  })

  it('cannot prove an address with the link of another, nor without a session', async () => {
    const { invited, squatter: person } = await squat()
    const { token } = await newLink(node, newEmail())
    expect(await keep(person, token)).toMatchObject({ status: 409 })
    const own = await newLink(node, invited.email)
    expect((await keep(personIn(newBrowser(), invited.email), own.token)).text).toContain('sign in to it')
    expect(await accountOf(node, person)).toMatchObject({ unproven: true })
    // Neither used a link up.
    expect((await useLink(node, token)).status).toBe(200)
    // The operator's link proves it, too.
    await keep(person, own.token)
    expect(await accountOf(node, person)).toMatchObject({ unproven: false })
  })

  it('whose address somebody else proved meanwhile cannot take it back', async () => {
    const { invited, squatter } = await squat()
    const [first, second] = [await newLink(node, invited.email), newBrowser()]
    const person = await byLink(invited.email, first.token)
    expect((await keep(squatter, first.token)).text).toContain('was used')
    const { token } = await newLink(node, invited.email)
    expect((await keep({ ...squatter, browser: second }, token)).text).toContain('Set your password')
    expect(await accountOf(node, person)).toMatchObject({ unproven: false })
  })

  it('takes the address from another account that claims it', async () => {
    const { invited, squatter } = await squat()
    const own = await newInvited(node, { email: invited.email })
    const person = await joined(node, own, { secret: 'another password' })
    await keep(person, (await newLink(node, invited.email)).token)
    expect(await accountOf(node, person)).toMatchObject({ unproven: false })
    expect(await accountOf(node, squatter)).toBeUndefined()
    expect(await membersOf(invited.team)).toMatchObject([{ joined_ms: null }])
  })

  it('is not proven by the mail that a stranger requested, as long as nobody there opens it', async () => {
    const { invited, squatter } = await squat()
    await mailedLink(invited.email, 1)
    await clientOf(node, squatter).account.proveAddress.mutate({})
    const token = await mailedLink(invited.email, 2)
    // The person whose mailbox it is: without the squatter's session, the link makes an own account.
    const page = await newBrowser().visit(`${node.apiUrl}/auth/link?token=${token}`)
    expect(page.text).not.toContain('keep this account</button>')
    const person = await byLink(invited.email, token)
    expect((await accountOf(node, person)).user.id).not.toBe(undefined)
    expect(await accountOf(node, squatter)).toBeUndefined()
  })
})

it('a link still joins after the address got an account that is proven, apart from it', async () => {
  const invited = await newInvited(node)
  const own = await byOpenId(invited.email)
  const accept = `${node.apiUrl}/auth/join/accept`
  expect((await own.browser.submit(accept, { token: invited.token })).url).toBe(`${node.apiUrl}/`)
  expect(await membersOf(invited.team)).toMatchObject([{ email: invited.email, unproven: false }])
  expect((await submitJoin(node, invited.token)).status).toBe(404)
})

function tokenOf({ browser }: Person): string {
  return decodeURIComponent(browser.cookies('localhost').get('svc.session_token') ?? '')
}
