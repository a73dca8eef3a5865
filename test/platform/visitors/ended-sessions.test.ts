/** Visits of a person to protected sites end with the person's sessions, and with what proves them. */
import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeFactor } from '../../../src/platform/people/second-factor/remove.ts'
import { takeAddress } from '../../../src/platform/people/take-address.ts'
import { createVisitCode } from '../../../src/platform/visitors/codes.ts'
import { claimedAddresses } from '../../../src/stores/db/schema/people.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { type Authenticator, newAuthenticator } from '../../support/authenticator.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { clientOf, newLink, newPerson, type Person, password, signIn, useLink } from '../../support/person.ts'
import { newVisitor, refreshUrlOf, signInUrlOf, type Visitor } from '../../support/visitor.ts'
import { newProtected } from './protected-site.ts'

let node: TestNode
let site: Awaited<ReturnType<typeof newProtected>>

beforeAll(async () => {
  node = await sharedNode()
  site = await newProtected(node)
})

type Member = Person & { userId: string; proof: { current_password: string; code?: string } }

/** Somebody who is in the team, and signed in; the password alone is the proof of changes. */
async function newMember(): Promise<Member> {
  const person = await signIn(node, await newPerson(node))
  const { db } = node.installation.store
  const [user] = await db.select().from(users).where(eq(users.email, person.email))
  const userId = user?.id ?? ''
  await db.insert(members).values({ teamId: site.team.id, userId, role: 'member', joinedMs: Date.now() })
  return { ...person, userId, proof: { current_password: password } }
}

const accountOf = (person: Person) => clientOf(node, person).account

async function startApp(person: Person): Promise<(steps?: number) => string> {
  const { secret } = await accountOf(person).startSecondFactor.mutate({ current_password: password })
  knowSecret("an app's secret", secret)
  const app = new TOTP({ secret }).secret
  return (steps = 0) => TOTP.generate({ secret: app, timestamp: Date.now() + steps * 30_000 })
}

async function withApp(): Promise<Member> {
  const person = await newMember()
  const codeOf = await startApp(person)
  await accountOf(person).confirmSecondFactor.mutate({ code: codeOf() })
  return { ...person, proof: { current_password: password, code: codeOf(1) } }
}

async function addPasskey(person: Person, authenticator: Authenticator): Promise<void> {
  const options = await accountOf(person).startPasskey.mutate({ current_password: password })
  await accountOf(person).addPasskey.mutate({ credential: authenticator.create(options), name: 'A key' })
}

const authenticatorHere = () => newAuthenticator(node.apiUrl)

async function withPasskey(): Promise<Member & { authenticator: Authenticator }> {
  const person = await newMember()
  const authenticator = authenticatorHere()
  await addPasskey(person, authenticator)
  return { ...person, authenticator }
}

async function removePasskey(person: Person, authenticator: Authenticator): Promise<void> {
  const account = accountOf(person)
  const [kept] = (await account.passkeys.query({})).data
  const passkey = authenticator.get(await account.startPasskeyProof.mutate({}))
  await account.removePasskey.mutate({ id: kept?.id ?? '', current_password: password, passkey })
}

async function endSession(person: Person, which: 'own' | 'other'): Promise<void> {
  if (which === 'other') await signIn(node, person)
  const { data } = await accountOf(person).sessions.query({})
  const found = data.find(({ current }) => current === (which === 'own'))
  await accountOf(person).endSession.mutate({ id: found?.id ?? '' })
}

async function codeUrl(visitor: Visitor, { browser }: Person): Promise<string> {
  return refreshUrlOf(await browser.visit(signInUrlOf(await visitor.open(site.url))))
}

/** Of a person who is in: whether that goes on after `end`, and whether a code of before still lets in. */
async function after(person: Person, end: () => Promise<unknown>): Promise<{ visit: number; code: number }> {
  const [visitor, other] = [newVisitor(), newVisitor()]
  await visitor.open(await codeUrl(visitor, person))
  expect((await visitor.open(site.url)).status).toBe(200)
  const code = await codeUrl(other, person)
  await end()
  return { visit: (await visitor.open(site.url)).status, code: (await other.open(code)).status }
}

/** What a person does, or somebody else to the person, after which earlier visits have ended. */
const ends: Record<string, () => Promise<[Person, () => Promise<unknown>]>> = {
  'ends all other sessions': async () => {
    const person = await newMember()
    return [person, () => accountOf(person).endOtherSessions.mutate({})]
  },
  'ends another session': async () => {
    const person = await newMember()
    return [person, () => endSession(person, 'other')]
  },
  'changes the password': async () => {
    const person = await newMember()
    const next = 'a new and better password'
    knowSecret('a password', next)
    const change = { current_password: password, new_password: next }
    return [person, () => accountOf(person).changePassword.mutate(change)]
  },
  'sets a password with a link': async () => {
    const person = await newMember()
    return [person, async () => useLink(node, (await newLink(node, person.email)).token)]
  },
  'sets up an app as the first second factor': async () => {
    const person = await newMember()
    const codeOf = await startApp(person)
    return [person, () => accountOf(person).confirmSecondFactor.mutate({ code: codeOf() })]
  },
  'sets up a passkey as the first second factor': async () => {
    const person = await newMember()
    return [person, () => addPasskey(person, authenticatorHere())]
  },
  'takes the app away, which was the last second factor': async () => {
    const person = await withApp()
    return [person, () => accountOf(person).stopSecondFactor.mutate({ ...person.proof })]
  },
  'takes the passkey away, which was the last second factor': async () => {
    const person = await withPasskey()
    return [person, () => removePasskey(person, person.authenticator)]
  },
  'has the operator take the second factor away': async () => {
    const person = await withApp()
    return [person, () => removeFactor(node.installation.store, person.email)]
  },
  'loses the address to somebody who has proven it': async () => {
    const person = await newMember()
    const { db, transact } = node.installation.store
    const email = `claimed-${person.email}`
    return [
      person,
      async () => {
        await db.insert(claimedAddresses).values({ userId: person.userId, email })
        // Without the membership, which would end the visits of the whole team.
        await db.delete(members).where(eq(members.userId, person.userId))
        await transact((tx) => takeAddress(tx, { email }, Date.now()))
      },
    ]
  },
}

describe.each(Object.entries(ends))('a person who %s', (_, prepare) => {
  it('is out of protected sites, also with a code of before, and those of others go on', async () => {
    const other = newVisitor()
    await other.open(await codeUrl(other, await newMember()))
    const [person, end] = await prepare()
    expect(await after(person, end)).toEqual({ visit: 401, code: 401 })
    expect((await other.open(site.url)).status).toBe(200)
  })
})

it('a person who signs out, or ends the own session, stays in', async () => {
  const [one, other] = [await newMember(), await newMember()]
  expect(await after(one, () => one.call('POST', '/sign-out'))).toEqual({ visit: 200, code: 303 })
  expect(await after(other, () => endSession(other, 'own'))).toEqual({ visit: 200, code: 303 })
})

it('whoever is still signed in comes back, and stays in until the next end', async () => {
  const person = await newMember()
  for (let time = 0; time < 2; time += 1) {
    const { visit } = await after(person, () => accountOf(person).endOtherSessions.mutate({}))
    expect(visit).toBe(401)
  }
})

it('a visit that has ended leaves the way of other credentials open', async () => {
  const person = await newMember()
  const visitor = newVisitor()
  await visitor.open(await codeUrl(visitor, person))
  await accountOf(person).endOtherSessions.mutate({})
  const cookie = visitor.cookieAt(new URL(site.url).hostname)
  const headers = { cookie, authorization: `Bearer ${site.team.ownerKey}` }
  expect((await newVisitor().open(site.url, headers)).status).toBe(200)
  expect((await newVisitor().open(site.url, { ...headers, authorization: 'Bearer x' })).status).toBe(401)
})

it('a session that ends while a code is made gets none', async () => {
  const person = await newMember()
  const { store } = node.installation
  const host = new URL(site.url).hostname.split('.')[0] ?? ''
  const [session] = await store.db.select().from(sessions).where(eq(sessions.userId, person.userId))
  const request = { userId: person.userId, sessionId: session?.id ?? '', host, nonceSha256: 'x', path: '/' }
  expect(await createVisitCode(store, request, Date.now())).toMatch(/^[\w-]{32}$/)
  await endSession(person, 'own')
  await expect(createVisitCode(store, request, Date.now())).rejects.toMatchObject({ reason: 'unauthorized' })
})
