/** Links of invitations: who makes, sees, revokes and uses them, and until when. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { asSecret } from '../../../../src/lib/secret.ts'
import { hashToken } from '../../../../src/platform/callers/token.ts'
import { insertClaimant } from '../../../../src/platform/people/sign-up.ts'
import { deleteExpiredInvitationLinks } from '../../../../src/platform/teams/invitation-links/revoke.ts'
import { invitationLinks } from '../../../../src/stores/db/schema/invitations.ts'
import { claimedAddresses, personLinks } from '../../../../src/stores/db/schema/people.ts'
import { members, teams, users } from '../../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { newBrowser } from '../../../support/browser.ts'
import type { TestNode } from '../../../support/node.ts'
import { callsOf, clientOf, newLink, newPerson, signIn } from '../../../support/person.ts'
import { addMember, newTeam } from '../../../support/team.ts'
import { newEmail } from '../people.ts'
import {
  accountOf,
  invite,
  joined,
  joinPassword,
  keyClient,
  makeLink,
  membersOf,
  newInvited,
  submitJoin,
  teamsOf,
} from './joining.ts'

const dayMs = 86_400_000

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterEach(() => {
  node.clock.aheadMs = 0
})

afterAll(() => node.stop())

const pageOf = (token: string, browser = newBrowser()) =>
  browser.visit(`${node.apiUrl}/auth/join?token=${token}`)

describe('an owner', () => {
  it('makes a link, sees it without its secret, and revokes it', async () => {
    const { team, email, token, id } = await newInvited(node)
    const { invitationLinks: links } = keyClient(node, team.ownerKey)
    const { data } = await links.list.query({ team: team.slug })
    const lasts = expect.closeTo(Date.now() + 7 * dayMs, -5)
    expect(data).toMatchObject([{ id, email, role: 'member', created_by: team.ownerId, expires_ms: lasts }])
    expect(JSON.stringify(data)).not.toContain(token)
    await links.revoke.mutate({ team: team.slug, id })
    expect((await links.list.query({ team: team.slug })).data).toEqual([])
    expect((await submitJoin(node, token)).status).toBe(404)
    await expect(links.revoke.mutate({ team: team.slug, id })).rejects.toThrow('no such link')
  })

  it('has one link for each invitation: the latest', async () => {
    const { team, email, token } = await newInvited(node)
    const next = await makeLink(node, team, email.toUpperCase())
    expect((await submitJoin(node, token)).status).toBe(404)
    expect((await submitJoin(node, next.token)).status).toBe(200)
  })

  it('cannot make one for somebody who is not invited, or of another team', async () => {
    const { team, email } = await newInvited(node)
    const { invitationLinks: links } = keyClient(node, team.ownerKey)
    await expect(links.create.mutate({ team: team.slug, email: newEmail() })).rejects.toThrow('not invited')
    const other = await newInvited(node)
    const { invitationLinks: theirs } = keyClient(node, other.team.ownerKey)
    await expect(theirs.create.mutate({ team: team.slug, email })).rejects.toThrow('no team')
    await expect(theirs.revoke.mutate({ team: team.slug, id: other.id })).rejects.toThrow('no team')
    const { id } = await makeLink(node, team, email)
    await expect(theirs.revoke.mutate({ team: other.team.slug, id })).rejects.toThrow('no such link')
  })

  it('makes a hundred within a day', async () => {
    const { team, email } = await newInvited(node)
    const { db } = node.installation.store
    const count = { linksMade: 99, linksMadeSinceMs: Date.now() - 1_000 }
    await db.update(users).set(count).where(eq(users.id, team.ownerId))
    await makeLink(node, team, email)
    await expect(makeLink(node, team, email)).rejects.toThrow('100 links')
    node.clock.aheadMs = dayMs
    await makeLink(node, team, email)
  })

  it('who is removed or demoted leaves no link that works', async () => {
    const team = await newTeam(node)
    for (const end of ['removed', 'demoted'] as const) {
      const { userId, key } = await addMember(node, team, 'owner')
      const email = newEmail()
      await invite(team, { email })
      const { token } = await makeLink(node, team, email, key)
      expect((await pageOf(token)).status).toBe(200)
      const { db } = node.installation.store
      const isTheirs = eq(members.userId, userId)
      if (end === 'removed') await db.delete(members).where(isTheirs)
      else await db.update(members).set({ role: 'member' }).where(isTheirs)
      expect((await submitJoin(node, token)).status).toBe(404)
    }
  })
})

it('a member neither makes, sees nor revokes links', async () => {
  const { team, email, id } = await newInvited(node)
  const { invitationLinks: links } = keyClient(node, (await addMember(node, team)).key)
  await expect(links.create.mutate({ team: team.slug, email })).rejects.toThrow('Only an owner')
  await expect(links.list.query({ team: team.slug })).rejects.toThrow('Only an owner')
  await expect(links.revoke.mutate({ team: team.slug, id })).rejects.toThrow('Only an owner')
})

describe('a person without an account', () => {
  it('reads who invites to what, makes an account, and is in the team by that', async () => {
    const { team, email, token } = await newInvited(node, { role: 'owner' })
    await team.owner('PUT', `/v1/teams/${team.slug}`, { name: 'Compilers <& more>' })
    const { text, headers } = await pageOf(token)
    expect(text).toContain(`Compilers &lt;&amp; more&gt;</strong> (${team.slug}) as an owner.`)
    expect(text).toContain('You accept the invitation by that.')
    expect(headers.get('cache-control')).toBe('no-store')
    const browser = newBrowser()
    const { url } = await submitJoin(node, token, { name: ' Grace Hopper ', browser })
    expect(url).toBe(`${node.apiUrl}/`)
    const person = { email, password: joinPassword, browser, call: callsOf(node, browser) }
    expect(await accountOf(node, person)).toMatchObject({
      user: { email, name: 'Grace Hopper' },
      unproven: true,
      proof_by_mail: false,
      password_set: true,
    })
    expect(await teamsOf(node, person)).toContain(team.slug)
    expect(await membersOf(team)).toMatchObject([
      { email, name: 'Grace Hopper', role: 'owner', unproven: true, joined_ms: expect.any(Number) },
    ])
    // And signs in with that address and password from then on.
    const again = await signIn(node, { email: email.toUpperCase(), password: joinPassword })
    expect((await accountOf(node, again)).user).toEqual((await accountOf(node, person)).user)
    const { body } = await team.owner('GET', '/v1/logs?kind=audit&limit=1')
    expect(body.data[0].fields).toMatchObject({ type: 'member.added', actor_name: 'Grace Hopper' })
  })

  it.each([
    [{ name: ' ' }, 'The name must have'],
    [{ secret: 'short' }, 'The password must have'],
  ])('reads what is wrong with %j, and the link stays', async (typed, sentence) => {
    const { token } = await newInvited(node)
    const page = await submitJoin(node, token, typed)
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining(sentence) })
    expect((await pageOf(token)).status).toBe(200)
  })

  it('gets the role that the invitation has by then', async () => {
    const { team, email, token } = await newInvited(node)
    await invite(team, { email, role: 'owner' })
    await submitJoin(node, token)
    expect(await membersOf(team)).toMatchObject([{ role: 'owner' }])
  })

  it('is a member like others for the owner, who changes the role and removes them', async () => {
    const invited = await newInvited(node)
    const { team, email } = invited
    const person = await joined(node, invited)
    const { token: key } = await clientOf(node, person).tokens.createKey.mutate({ name: 'theirs' })
    await invite(team, { email, role: 'owner' })
    expect(await membersOf(team)).toMatchObject([{ email, role: 'owner', unproven: true }])
    await invite(team)
    expect(await membersOf(team)).toEqual([])
    expect(await teamsOf(node, person)).not.toContain(team.slug)
    // The key is of the personal team, which is the session's own.
    await expect(keyClient(node, key ?? '').teams.get.query({ team: team.slug })).rejects.toThrow('no team')
  })
})

describe('a link', () => {
  it('is used once, also by two at the same moment', async () => {
    const { team, token } = await newInvited(node)
    const pages = await Promise.all(
      ['Ada', 'Grace'].map((name) => submitJoin(node, token, { name, secret: `the password of ${name}` })),
    )
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await membersOf(team)).toHaveLength(1)
    expect((await submitJoin(node, token)).status).toBe(404)
  })

  it('lasts seven days, and is forgotten then', async () => {
    const { team, token } = await newInvited(node)
    node.clock.aheadMs = 7 * dayMs - 60_000
    expect((await pageOf(token)).status).toBe(200)
    node.clock.aheadMs = 7 * dayMs
    expect((await submitJoin(node, token)).status).toBe(404)
    const { db } = node.installation.store
    await deleteExpiredInvitationLinks({ db, nowMs: Date.now() + node.clock.aheadMs })
    const ofTeam = eq(invitationLinks.teamId, team.id)
    expect(await db.select().from(invitationLinks).where(ofTeam)).toEqual([])
  })

  it('is stored as a hash, and in no log', async () => {
    const { token } = await newInvited(node)
    await pageOf(token)
    await submitJoin(node, token)
    expect(node.logged.join('')).not.toContain(token)
    const rows = await node.installation.store.db.select().from(invitationLinks)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it.each(['', 'guessed', 'x'.repeat(32), 'x'.repeat(5_000)])(
    'that is guessed (%#) leads nowhere',
    async (token) => {
      for (const page of [await pageOf(token), await submitJoin(node, token)]) {
        expect(page).toMatchObject({ status: 404, text: expect.stringContaining('Ask who invited you') })
      }
    },
  )

  it('ends with its invitation, also where the same address is invited again', async () => {
    const { team, email, token } = await newInvited(node)
    await invite(team)
    expect((await submitJoin(node, token)).status).toBe(404)
    await invite(team, { email })
    expect((await submitJoin(node, token)).status).toBe(404)
  })

  it('ends with its team', async () => {
    const { team, token } = await newInvited(node)
    expect((await team.owner('DELETE', `/v1/teams/${team.slug}`)).status).toBe(200)
    expect((await submitJoin(node, token)).status).toBe(404)
  })

  it('is not submitted by pages of other sites', async () => {
    const { token } = await newInvited(node)
    const evil = { origin: 'https://evil.test' }
    const fields = { token, name: 'Eve', password: joinPassword, again: joinPassword }
    for (const path of ['/auth/join', '/auth/join/accept', '/auth/link/keep']) {
      expect((await newBrowser().submit(`${node.apiUrl}${path}`, fields, evil)).status).toBe(403)
    }
    expect((await pageOf(token)).status).toBe(200)
  })
})

describe('somebody who is signed in', () => {
  const accept = (token: string, browser = newBrowser()) =>
    browser.submit(`${node.apiUrl}/auth/join/accept`, { token })

  it('accepts with the account that has proven the invited address', async () => {
    const person = await signIn(node, await newPerson(node))
    const { team, token } = await newInvited(node, { email: person.email })
    const page = await pageOf(token, person.browser)
    expect(page.text).toContain(`Join ${team.slug}</button>`)
    expect(page.text).not.toContain('name="password"')
    await accept(token, person.browser)
    expect(await membersOf(team)).toMatchObject([{ email: person.email, unproven: false }])
    expect((await accept(token, person.browser)).status).toBe(404)
  })

  it.each(['with another address', 'without a proven one'])(
    '%s reads what to do, and stays out',
    async (how) => {
      const other = await newInvited(node)
      const person =
        how === 'without a proven one' ? await joined(node, other) : await signIn(node, await newPerson(node))
      const email = how === 'without a proven one' ? other.email : newEmail()
      const { team, token } = await newInvited(node, { email })
      const page = await pageOf(token, person.browser)
      expect(page.text).toContain('Sign out, and come back here')
      expect(page.text).not.toContain('name="password"')
      const refused = await accept(token, person.browser)
      expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('somebody else') })
      expect(await membersOf(team)).toMatchObject([{ joined_ms: null }])
    },
  )

  it('signs out there, and is back at the link', async () => {
    const person = await signIn(node, await newPerson(node))
    const { token } = await newInvited(node)
    const next = `/auth/join?token=${token}`
    const page = await person.browser.submit(`${node.apiUrl}/auth/sign-out/form`, { next })
    expect(page).toMatchObject({ status: 200, url: `${node.apiUrl}${next}` })
    expect(page.text).toContain('Make an account and join')
  })

  it('whose session has just ended is led to sign in', async () => {
    const { team, token } = await newInvited(node)
    expect((await accept(token)).text).toContain('Sign in to accept with it.')
    expect(await membersOf(team)).toMatchObject([{ joined_ms: null }])
  })
})

describe('an unproven account', () => {
  it('has no other invitation of its address, and accepts none', async () => {
    const first = await newInvited(node)
    const person = await joined(node, first)
    const { team } = await newInvited(node, { email: first.email })
    const { teams } = clientOf(node, person)
    expect((await teams.invitations.query({ limit: 10 })).data).toEqual([])
    await expect(teams.acceptInvitation.mutate({ team: team.slug })).rejects.toThrow('no team')
  })

  it('makes no links, so that links don’t multiply', async () => {
    const invited = await newInvited(node, { role: 'owner' })
    const person = await joined(node, invited)
    const email = newEmail()
    await invite(invited.team, { email: invited.email, role: 'owner' }, { email })
    const { invitationLinks: links } = clientOf(node, person)
    await expect(links.create.mutate({ team: invited.team.slug, email })).rejects.toThrow('not confirmed')
  })

  it('tells nobody whether the address has an account', async () => {
    const known = await newPerson(node)
    const page = async (email: string) => {
      const { token, team } = await newInvited(node, { email })
      const { text } = await pageOf(token)
      return text.replaceAll(token, '').replaceAll(email, '').replaceAll(team.slug, '')
    }
    expect(await page(known.email)).toBe(await page(newEmail()))
  })

  it('of an address that is proven elsewhere is apart from that account', async () => {
    const known = await newPerson(node)
    const invited = await newInvited(node, { email: known.email })
    const refused = await submitJoin(node, invited.token, { secret: known.password })
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('sign in first') })
    const person = await joined(node, invited)
    const [own, claimed] = [await signIn(node, known), await signIn(node, person)]
    expect((await accountOf(node, own)).unproven).toBe(false)
    expect((await accountOf(node, claimed)).user).toEqual((await accountOf(node, person)).user)
    expect(await teamsOf(node, own)).not.toContain(invited.team.slug)
  })

  it('shares its address with few others, and signs in with its own password', { tags: 'long' }, async () => {
    const { store } = node.installation
    const email = newEmail()
    const claim = () =>
      store.transact((tx) =>
        insertClaimant(tx, { id: newId('user', Date.now()), email, name: 'Eve' }, Date.now()),
      )
    const first = await joined(node, await newInvited(node, { email }), { secret: 'the first password' })
    const second = await joined(node, await newInvited(node, { email }), { secret: 'the second password' })
    for (const person of [first, second]) {
      const again = await signIn(node, person)
      expect((await accountOf(node, again)).user).toEqual((await accountOf(node, person)).user)
    }
    await claim()
    const page = await submitJoin(node, (await newInvited(node, { email })).token)
    expect(page).toMatchObject({ status: 409, text: expect.stringContaining('svc admin user') })
  })

  it('is not taken for the first user of the installation', async () => {
    const { installation } = node
    const person = await joined(node, await newInvited(node))
    // As a retired one, whose address somebody else has proven, has none either.
    const { user } = await accountOf(node, person)
    const { db } = installation.store
    await db.update(claimedAddresses).set({ email: null }).where(eq(claimedAddresses.userId, user.id))
    await db
      .update(teams)
      .set({ createdMs: 0 })
      .where(eq(teams.slug, (await teamsOf(node, person))[0] ?? ''))
    const { token } = await newLink(node)
    const [link] = await db
      .select()
      .from(personLinks)
      .where(eq(personLinks.tokenSha256, hashToken(asSecret(token))))
    expect(link?.userId).not.toBe(user.id)
  })
})
