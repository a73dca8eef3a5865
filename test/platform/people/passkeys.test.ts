/** Passkeys: adding them, signing in with them, and everything that must not. */
import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { deleteEndedChallenges } from '../../../src/platform/people/passkeys/challenge.ts'
import { relyingPartyOf, requireRelyingParty } from '../../../src/platform/people/passkeys/relying-party.ts'
import { removeFactor } from '../../../src/platform/people/second-factor/remove.ts'
import { takeAddress } from '../../../src/platform/people/take-address.ts'
import { passkeys, spentChallenges } from '../../../src/stores/db/schema/passkeys.ts'
import { claimedAddresses } from '../../../src/stores/db/schema/people.ts'
import { secondFactors } from '../../../src/stores/db/schema/second-factors.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { type Authenticator, type Claims, newAuthenticator } from '../../support/authenticator.ts'
import { newBrowser } from '../../support/browser.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { callsOf, clientOf, newPerson, type Person, password, signIn } from '../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

afterEach(() => {
  node.clock.aheadMs = 0
})

const current = { current_password: password }

type Owner = Person & { userId: string; authenticator: Authenticator; codes: string[] }

/** The software authenticator of a browser at the node. */
const authenticatorHere = () => newAuthenticator(node.apiUrl)

const accountOf = (person: Person) => clientOf(node, person).account

/** A person with a passkey, signed in with the password before. */
async function newOwner(): Promise<Owner> {
  const person = await signIn(node, await newPerson(node))
  const authenticator = authenticatorHere()
  const account = accountOf(person)
  const credential = authenticator.create(await account.startPasskey.mutate(current))
  const { recovery_codes: codes } = await account.addPasskey.mutate({ credential })
  const { user } = await account.get.query({})
  return { ...person, userId: user.id, authenticator, codes }
}

/** A browser at the sign-in page, that has a challenge. */
async function atSignIn() {
  const browser = newBrowser()
  const call = callsOf(node, browser)
  const { body: options } = await call('POST', '/sign-in/passkey/options', {})
  const send = (passkey: unknown) => call('POST', '/sign-in/passkey', { passkey })
  return { browser, call, options, send }
}

/** Signs in with the passkey alone. */
async function enter({ authenticator }: Pick<Owner, 'authenticator'>, claims: Claims = {}) {
  const { browser, call, options, send } = await atSignIn()
  const answer = await send(authenticator.get(options, claims))
  return { browser, call, answer, email: '', password }
}

/** A browser that has typed the password. */
async function halfway({ email }: Person) {
  const call = callsOf(node, newBrowser())
  const { body } = await call('POST', '/sign-in/email', { email, password })
  expect(body).toEqual({ second_factor_required: true })
  const { body: ways } = await call('POST', '/sign-in/second-factor/options', {})
  const send = (passkey: unknown) => call('POST', '/sign-in/second-factor', { passkey })
  const type = (code: string) => call('POST', '/sign-in/second-factor', { code })
  return { call, ways, send, type }
}

/** A proof with the passkey. */
async function proofOf(person: Owner) {
  const options = await accountOf(person).startPasskeyProof.mutate({})
  return { ...current, passkey: person.authenticator.get(options) }
}

const refused = { status: 401, body: { reason: 'sign_in_failed' } }
const notVerified = { data: { reason: 'invalid_input', issues: [{ path: 'credential' }] } }
const codeNeeded = { data: { reason: 'invalid_input', issues: [{ path: 'code' }] } }

async function provenBy(userId: string): Promise<string[]> {
  const { db } = node.installation.store
  const rows = await db.select().from(sessions).where(eq(sessions.userId, userId))
  return rows.map((row) => row.provenBy).toSorted()
}

describe('a passkey', () => {
  it('signs in without the password, as both factors, and gets no second session', async () => {
    const owner = await newOwner()
    const { call, answer } = await enter(owner)
    expect(answer).toMatchObject({ status: 200, body: { user: { email: owner.email } } })
    expect((await call('GET', '/get-session')).body.user.email).toBe(owner.email)
    // The session that it was added in counts as one that was begun with a second factor.
    expect(await provenBy(owner.userId)).toEqual(['passkey', 'second_factor'])
    const { data } = await accountOf(owner).passkeys.query({})
    expect(data).toMatchObject([{ last_used_ms: expect.any(Number) }])
  })

  it('is enough for a team that requires a second factor', async () => {
    const owner = await newOwner()
    const entered = await enter(owner)
    const { teams } = clientOf(node, entered)
    const [team] = (await teams.list.query({})).data
    const required = { team: team?.id ?? '', required: true }
    expect(await teams.requireSecondFactor.mutate(required)).toMatchObject({ second_factor_required: true })
    expect(await clientOf(node, entered).projects.list.query({})).toMatchObject({ data: [] })
  })

  it('is named after the device, can be renamed, and is listed', async () => {
    const owner = await newOwner()
    const account = accountOf(owner)
    const { data } = await account.passkeys.query({})
    expect(data).toMatchObject([{ name: 'Unknown device', last_used_ms: null }])
    const id = data[0]?.id ?? ''
    await account.renamePasskey.mutate({ id, name: '  A phone ' })
    expect((await account.passkeys.query({})).data).toMatchObject([{ id, name: 'A phone' }])
    const other = accountOf(await newOwner())
    await expect(other.renamePasskey.mutate({ id, name: 'Mine' })).rejects.toMatchObject({
      data: { reason: 'passkey_not_found', httpStatus: 404 },
    })
  })

  it('may sign itself with a statement of its maker, which is not read', async () => {
    const person = await signIn(node, await newPerson(node))
    const authenticator = authenticatorHere()
    const options = await accountOf(person).startPasskey.mutate(current)
    const credential = authenticator.create(options, { format: 'packed' })
    await accountOf(person).addPasskey.mutate({ credential, name: 'A key' })
    expect((await enter({ authenticator })).answer).toMatchObject({ status: 200 })
  })

  it('takes part of the twenty that a person may have', async () => {
    const owner = await newOwner()
    const { db } = node.installation.store
    const [row] = await db.select().from(passkeys).where(eq(passkeys.userId, owner.userId))
    if (!row) throw new Error('The passkey is missing.')
    const more = Array.from({ length: 19 }, (_, i) => ({
      ...row,
      id: `${row.id}-${i}`,
      credentialId: unique('id'),
    }))
    await db.insert(passkeys).values(more)
    await expect(accountOf(owner).startPasskey.mutate(await proofOf(owner))).rejects.toMatchObject({
      data: { reason: 'too_many_passkeys', httpStatus: 409 },
    })
  })
})

describe('signing in with a passkey is refused', () => {
  it.each<[string, Claims]>([
    ['of a page of another origin', { origin: 'https://localhost.evil.test' }],
    ['for another server', { rpId: 'evil.test' }],
    ['of a ceremony that makes one', { type: 'webauthn.create' }],
    ['where the person was not verified', { verified: false }],
    ['where nobody was present', { present: false }],
    ['that does not say whose it is', { userHandle: null }],
    ['that says it is another person’s', { userHandle: Buffer.from('usr_other').toString('base64url') }],
    ['that is not known', { credentialId: 'AAAA' }],
    ['with a challenge of its own', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['with a short challenge', { challenge: 'AAAA' }],
  ])('%s', async (_what, claims) => {
    const owner = await newOwner()
    const { answer, call } = await enter(owner, claims)
    expect(answer).toMatchObject(refused)
    expect((await call('GET', '/get-session')).body).toBeNull()
    // The same without the lie.
    expect((await enter(owner)).answer).toMatchObject({ status: 200 })
  })

  it('a second time with the same answer, also at the same time', async () => {
    const owner = await newOwner()
    const { options, send } = await atSignIn()
    // An authenticator that counts nothing, so that only the challenge tells them apart.
    const assertion = owner.authenticator.get(options, { counter: 0 })
    const answers = await Promise.all([send(assertion), send(assertion)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(await send(assertion)).toMatchObject(refused)
  })

  it('with the challenge of another browser', async () => {
    const owner = await newOwner()
    const [one, other] = [await atSignIn(), await atSignIn()]
    const assertion = owner.authenticator.get(one.options)
    expect(await other.send(assertion)).toMatchObject(refused)
    expect(
      await callsOf(node, newBrowser())('POST', '/sign-in/passkey', { passkey: assertion }),
    ).toMatchObject(refused)
    expect(await one.send(assertion)).toMatchObject({ status: 200 })
  })

  it('with a challenge for adding one, or for a proof', async () => {
    const owner = await newOwner()
    const account = accountOf(owner)
    const { challenge: adding } = await account.startPasskey.mutate(await proofOf(owner))
    const { challenge: proof } = await account.startPasskeyProof.mutate({})
    for (const challenge of [adding, proof]) {
      expect((await enter(owner, { challenge })).answer).toMatchObject(refused)
    }
  })

  it('after five minutes', async () => {
    const owner = await newOwner()
    const { options, send } = await atSignIn()
    node.clock.aheadMs = 299_000
    const inTime = await atSignIn()
    node.clock.aheadMs = 301_000
    expect(await send(owner.authenticator.get(options))).toMatchObject(refused)
    expect(await inTime.send(owner.authenticator.get(inTime.options))).toMatchObject({ status: 200 })
  })

  it.each([5, 4, 0])('where the count went from 5 to %i', async (counter) => {
    const owner = await newOwner()
    expect((await enter(owner, { counter: 5 })).answer).toMatchObject({ status: 200 })
    expect((await enter(owner, { counter })).answer).toMatchObject(refused)
    expect((await enter(owner, { counter: 6 })).answer).toMatchObject({ status: 200 })
  })

  it('with a signature by another key', async () => {
    const owner = await newOwner()
    const other = await newOwner()
    const { credentialId } = owner.authenticator
    const userHandle = Buffer.from(owner.userId).toString('base64url')
    expect((await enter(other, { credentialId, userHandle })).answer).toMatchObject(refused)
  })

  it('of a person from whom it was removed', async () => {
    const owner = await newOwner()
    const [{ id = '' } = {}] = (await accountOf(owner).passkeys.query({})).data
    await accountOf(owner).removePasskey.mutate({ id, ...(await proofOf(owner)) })
    expect((await enter(owner)).answer).toMatchObject(refused)
  })

  it('more than thirty times a minute, without one more look', async () => {
    const owner = await newOwner()
    const call = callsOf(node, newBrowser())
    const passkey = owner.authenticator.get({ challenge: 'AAAA', rpId: 'localhost' })
    let answer = await call('POST', '/sign-in/passkey', { passkey })
    for (let i = 0; i < 40 && answer.status === 401; i += 1) {
      answer = await call('POST', '/sign-in/passkey', { passkey })
    }
    expect(answer).toMatchObject({ status: 429, body: { reason: 'rate_limited' } })
    node.clock.aheadMs = 61_000
    expect((await enter(owner)).answer).toMatchObject({ status: 200 })
  })
})

describe('challenges', () => {
  it('are stored only once they were answered, and forgotten after their time', async () => {
    const { db } = node.installation.store
    const owner = await newOwner()
    const before = await db.$count(spentChallenges)
    for (let i = 0; i < 5; i += 1) await atSignIn()
    expect(await db.$count(spentChallenges)).toBe(before)
    await enter(owner)
    expect(await db.$count(spentChallenges)).toBe(before + 1)
    expect(await deleteEndedChallenges(db, Date.now())).toBe(0)
    expect(await deleteEndedChallenges(db, Date.now() + 3_600_000)).toBeGreaterThan(0)
    expect(await db.$count(spentChallenges)).toBe(0)
  })
})

describe('adding a passkey', () => {
  it.each<[string, Claims]>([
    ['of a page of another origin', { origin: 'https://evil.test' }],
    ['for another server', { rpId: 'evil.test' }],
    ['where the person was not verified', { verified: false }],
    ['of a ceremony that uses one', { type: 'webauthn.get' }],
    ['with a challenge of its own', { challenge: Buffer.alloc(54).toString('base64url') }],
  ])('refuses one %s', async (_what, claims) => {
    const account = accountOf(await signIn(node, await newPerson(node)))
    const credential = authenticatorHere().create(await account.startPasskey.mutate(current), claims)
    await expect(account.addPasskey.mutate({ credential })).rejects.toMatchObject(notVerified)
    expect(await account.get.query({})).toMatchObject({ second_factor: { on: false, passkeys: 0 } })
  })

  it('takes the challenge of the same session, in time, and once', async () => {
    const person = await signIn(node, await newPerson(node))
    const [account, elsewhere] = [accountOf(person), accountOf(await signIn(node, person))]
    const authenticator = authenticatorHere()
    const credential = authenticator.create(await account.startPasskey.mutate(current))
    await expect(elsewhere.addPasskey.mutate({ credential })).rejects.toMatchObject(notVerified)
    node.clock.aheadMs = 301_000
    await expect(account.addPasskey.mutate({ credential })).rejects.toMatchObject(notVerified)
    node.clock.aheadMs = 0
    await account.addPasskey.mutate({ credential })
    await expect(account.addPasskey.mutate({ credential })).rejects.toMatchObject(notVerified)
    expect((await account.passkeys.query({})).data).toHaveLength(1)
  })

  it('ends the other sessions with the first one, and none with another', async () => {
    const person = await signIn(node, await newPerson(node))
    const other = accountOf(await signIn(node, person))
    const account = accountOf(person)
    const userId = (await other.get.query({})).user.id
    const [one, another] = [authenticatorHere(), authenticatorHere()]
    const first = one.create(await account.startPasskey.mutate(current))
    await account.addPasskey.mutate({ credential: first })
    await expect(other.get.query({})).rejects.toMatchObject({ data: { httpStatus: 401 } })
    await enter({ authenticator: one })
    const owner = { ...person, userId, authenticator: one, codes: [] }
    const second = another.create(await account.startPasskey.mutate(await proofOf(owner)))
    await account.addPasskey.mutate({ credential: second })
    expect(await provenBy(userId)).toEqual(['passkey', 'second_factor'])
  })

  it('refuses a challenge for signing in', async () => {
    const account = accountOf(await signIn(node, await newPerson(node)))
    const { options } = await atSignIn()
    const fresh = await account.startPasskey.mutate(current)
    const credential = authenticatorHere().create({ ...fresh, challenge: options.challenge })
    await expect(account.addPasskey.mutate({ credential })).rejects.toMatchObject(notVerified)
  })

  it('refuses one that another person has', async () => {
    const owner = await newOwner()
    const other = accountOf(await signIn(node, await newPerson(node)))
    const credential = owner.authenticator.create(await other.startPasskey.mutate(current))
    await expect(other.addPasskey.mutate({ credential })).rejects.toMatchObject({
      data: { reason: 'passkey_in_use', httpStatus: 409 },
    })
    // Without a trace: no recovery codes, and the password is enough as before.
    expect((await other.get.query({})).second_factor).toMatchObject({ on: false, recovery_codes: 0 })
  })

  it('takes the password, and with a second factor a proof of that, too', async () => {
    const owner = await newOwner()
    knowSecret('a password', 'not it')
    const account = accountOf(owner)
    await expect(account.startPasskey.mutate({ current_password: 'not it' })).rejects.toMatchObject({
      data: { issues: [{ path: 'current_password' }] },
    })
    await expect(account.startPasskey.mutate(current)).rejects.toMatchObject(codeNeeded)
    await expect(account.startSecondFactor.mutate(current)).rejects.toMatchObject(codeNeeded)
    const second = authenticatorHere()
    const options = await account.startPasskey.mutate({ ...current, code: owner.codes[0] ?? '' })
    const added = await account.addPasskey.mutate({ credential: second.create(options), name: 'Another' })
    expect(added).toMatchObject({ passkey: { name: 'Another' }, recovery_codes: [] })
    expect((await account.get.query({})).second_factor).toEqual({
      on: true,
      app: false,
      passkeys: 2,
      recovery_codes: 9,
    })
  })

  it('is over, where it was begun with the password alone, once there is a second factor', async () => {
    const account = accountOf(await signIn(node, await newPerson(node)))
    const begun = await account.startPasskey.mutate(current)
    const { secret } = await account.startSecondFactor.mutate(current)
    knowSecret("an app's secret", secret)
    const credential = authenticatorHere().create(await account.startPasskey.mutate(current))
    await account.addPasskey.mutate({ credential })
    const late = account.addPasskey.mutate({ credential: authenticatorHere().create(begun) })
    await expect(late).rejects.toMatchObject(notVerified)
    const code = TOTP.generate({ secret: new TOTP({ secret }).secret })
    await expect(account.confirmSecondFactor.mutate({ code })).rejects.toMatchObject(codeNeeded)
  })

  it('is a person’s, whom an API key does not speak for', async () => {
    const { tokens } = clientOf(node, await signIn(node, await newPerson(node)))
    const { token: key } = await tokens.createKey.mutate({ name: 'ci' })
    knowSecret('an API key', key)
    const { account } = createClient({ url: node.apiUrl, token: key, retry: false })
    await expect(account.startPasskey.mutate(current)).rejects.toMatchObject({
      data: { reason: 'role_required' },
    })
  })
})

describe('the password of a person with a passkey', () => {
  it('signs nobody in without the passkey', async () => {
    const owner = await newOwner()
    const { call, ways, send } = await halfway(owner)
    expect(ways).toMatchObject({ app: false, passkey: { rpId: 'localhost', userVerification: 'required' } })
    expect(ways.passkey.allowCredentials).toEqual([
      { id: owner.authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    expect((await call('GET', '/get-session')).body).toBeNull()
    expect(await send(owner.authenticator.get(ways.passkey))).toMatchObject({ status: 200 })
    expect(await provenBy(owner.userId)).toEqual(['second_factor', 'second_factor'])
  })

  it('signs in with a recovery code, which works once', async () => {
    const owner = await newOwner()
    const [code = ''] = owner.codes
    expect(await (await halfway(owner)).type(code)).toMatchObject({ status: 200 })
    expect(await (await halfway(owner)).type(code)).toMatchObject({ status: 400 })
    expect(await (await halfway(owner)).type('000000')).toMatchObject({ status: 400 })
  })

  it('takes no passkey of another person, nor a challenge of another sign-in', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const { ways, send } = await halfway(owner)
    const wrong = { status: 400, body: { reason: 'invalid_input', issues: [{ path: 'passkey' }] } }
    expect(await send(other.authenticator.get(ways.passkey))).toMatchObject(wrong)
    expect(await send(owner.authenticator.get((await atSignIn()).options))).toMatchObject(wrong)
    expect(await send(owner.authenticator.get((await halfway(other)).ways.passkey))).toMatchObject(wrong)
    expect(await send(owner.authenticator.get(ways.passkey, { verified: false }))).toMatchObject(wrong)
    expect(await send(owner.authenticator.get(ways.passkey))).toMatchObject({ status: 200 })
  })

  it('has ten tries of passkeys and codes together, then none for 15 minutes', async () => {
    const owner = await newOwner()
    const { ways, send, type } = await halfway(owner)
    const wrong = () => send(owner.authenticator.get(ways.passkey, { rpId: 'evil.test' }))
    for (let i = 0; i < 5; i += 1) {
      for (const each of [await wrong(), await type('000000')]) expect(each.status).toBe(400)
    }
    expect(await send(owner.authenticator.get(ways.passkey))).toMatchObject({ status: 429 })
    // The passkey alone isn't guessed at, and goes on.
    expect((await enter(owner)).answer).toMatchObject({ status: 200 })
    node.clock.aheadMs = 15 * 60_000 + 1_000
    const later = await halfway(owner)
    expect(await later.send(owner.authenticator.get(later.ways.passkey))).toMatchObject({ status: 200 })
  })

  it('is enough again once the last passkey is removed, and its recovery codes are gone', async () => {
    const owner = await newOwner()
    const account = accountOf(owner)
    const [{ id = '' } = {}] = (await account.passkeys.query({})).data
    await expect(account.removePasskey.mutate({ id, ...current })).rejects.toMatchObject(codeNeeded)
    expect(await account.removePasskey.mutate({ id, ...(await proofOf(owner)) })).toEqual({
      on: false,
      app: false,
      passkeys: 0,
      recovery_codes: 0,
    })
    expect(await provenBy(owner.userId)).toEqual(['password'])
    await signIn(node, owner)
    const { db } = node.installation.store
    expect(await db.$count(secondFactors, eq(secondFactors.userId, owner.userId))).toBe(0)
  })

  it('takes the app or the passkey where there are both, each of which may go', async () => {
    const owner = await newOwner()
    const account = accountOf(owner)
    const { secret } = await account.startSecondFactor.mutate(await proofOf(owner))
    knowSecret("an app's secret", secret)
    const codeAt = (steps: number) =>
      TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: Date.now() + steps * 30_000 })
    // The recovery codes stay those of the passkey.
    expect(await account.confirmSecondFactor.mutate({ code: codeAt(0) })).toEqual({ recovery_codes: [] })
    const { ways, type } = await halfway(owner)
    expect(ways).toMatchObject({ app: true, passkey: {} })
    expect(await type(owner.codes[0] ?? '')).toMatchObject({ status: 200 })
    expect(await account.stopSecondFactor.mutate(await proofOf(owner))).toEqual({
      on: true,
      app: false,
      passkeys: 1,
      recovery_codes: 9,
    })
    expect(await provenBy(owner.userId)).toEqual(['second_factor', 'second_factor'])
    await halfway(owner)
  })
})

describe('passkeys end', () => {
  it('with the second factor that the operator takes away', async () => {
    const owner = await newOwner()
    expect((await enter(owner)).answer).toMatchObject({ status: 200 })
    await removeFactor(node.installation.store, owner.email)
    expect(await provenBy(owner.userId)).toEqual([])
    expect((await enter(owner)).answer).toMatchObject(refused)
    await signIn(node, owner)
  })

  it('with the claim of an address that somebody else proves', async () => {
    const owner = await newOwner()
    const { store } = node.installation
    const { email, userId } = owner
    await store.db.update(users).set({ email: null, emailVerified: false }).where(eq(users.id, userId))
    await store.db.insert(claimedAddresses).values({ userId, email })
    expect((await enter(owner)).answer).toMatchObject({ status: 200 })
    await store.transact((tx) => takeAddress(tx, { email }, Date.now()))
    expect((await enter(owner)).answer).toMatchObject(refused)
    expect(await store.db.$count(passkeys, eq(passkeys.userId, userId))).toBe(0)
  })
})

describe('passkeys are made for', () => {
  it.each([
    ['https://svc.example.com', { id: 'svc.example.com', origin: 'https://svc.example.com' }],
    ['https://svc.example.com:8443/', { id: 'svc.example.com', origin: 'https://svc.example.com:8443' }],
    ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://svc.localhost', { id: 'svc.localhost', origin: 'http://svc.localhost' }],
  ])('%s', (apiUrl, party) => {
    expect(relyingPartyOf(apiUrl)).toEqual(party)
  })

  it.each(['http://svc.example.com', 'https://192.0.2.1', 'http://127.0.0.1:3000', 'https://[2001:db8::1]'])(
    'no address such as %s',
    (apiUrl) => {
      expect(relyingPartyOf(apiUrl)).toBeUndefined()
      expect(() => requireRelyingParty(apiUrl)).toThrow('Passkeys work at an https address')
    },
  )
})
