/** Signing in with a second factor: codes of an app, recovery codes, and what ends both. */
import { TOTP } from 'otpauth'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { removeFactor } from '../../../src/platform/people/second-factor/remove.ts'
import { secondFactors } from '../../../src/stores/db/schema/second-factors.ts'
import { newBrowser } from '../../support/browser.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import {
  callsOf,
  clientOf,
  newLink,
  newPerson,
  type Person,
  password,
  signIn,
  useLink,
} from '../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

afterEach(() => {
  node.clock.aheadMs = 0
})

/** `used` is the code that set it up. */
type Enrolled = Person & { secret: string; codes: string[]; used: string }

/** What the app shows, now or some steps later. */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: nowMs() + steps * 30_000 })

const nowMs = () => Date.now() + node.clock.aheadMs

/** A person whose second factor was just set up; the present code of the app is used up. */
async function enrol(): Promise<Enrolled> {
  return enrolAt(await signIn(node, await newPerson(node)))
}

async function enrolAt(person: Person): Promise<Enrolled> {
  const { account } = clientOf(node, person)
  const { secret } = await account.startSecondFactor.mutate({ current_password: password })
  knowSecret("an app's secret", secret)
  const used = codeOf(secret)
  const { recovery_codes: codes } = await account.confirmSecondFactor.mutate({ code: used })
  return { ...person, secret, codes, used }
}

/** A browser that has typed the password. */
async function halfway({ email, password: typed }: Person) {
  const browser = newBrowser()
  const call = callsOf(node, browser)
  const answer = await call('POST', '/sign-in/email', { email, password: typed })
  return { browser, call, answer, show: (code: string) => call('POST', '/sign-in/second-factor', { code }) }
}

/** Takes the app away, with a code of it. */
const stop = (person: Enrolled) =>
  clientOf(node, person).account.stopSecondFactor.mutate({
    current_password: password,
    code: codeOf(person.secret, 1),
  })

const factorRequired = { data: { reason: 'second_factor_required', httpStatus: 403 } }
const wrongCode = { data: { reason: 'invalid_input', issues: [{ path: 'code' }] } }
const unauthorized = { data: { httpStatus: 401 } }

const refused = { status: 400, body: { reason: 'invalid_input', issues: [{ path: 'code' }] } }

describe('the password of a person with a second factor', () => {
  it('signs nobody in, and leaves no session', async () => {
    const person = await enrol()
    const { answer, call } = await halfway(person)
    expect(answer).toMatchObject({ status: 200, body: { second_factor_required: true } })
    expect(Object.keys(answer.body)).toEqual(['second_factor_required'])
    expect((await call('GET', '/get-session')).body).toBeNull()
    const { data } = await clientOf(node, person).account.sessions.query({})
    expect(data).toHaveLength(1)
  })

  it.each([
    ['a code of the app', ({ secret }: Enrolled) => codeOf(secret, 1)],
    ['a code with a space', ({ secret }: Enrolled) => codeOf(secret, 1).replace(/^.../, '$& ')],
    ['a recovery code', ({ codes: [code = ''] }: Enrolled) => code],
    [
      'a recovery code without dashes',
      ({ codes: [code = ''] }: Enrolled) => code.replaceAll('-', '').toUpperCase(),
    ],
  ])('and %s do, once', async (_what, codeFor) => {
    const person = await enrol()
    const code = codeFor(person)
    const [one, two] = [await halfway(person), await halfway(person)]
    const answers = await Promise.all([one.show(code), two.show(code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const [passed, other] = answers[0]?.status === 200 ? [one, two] : [two, one]
    expect((await passed.call('GET', '/get-session')).body.user.email).toBe(person.email)
    expect(await other.show(code)).toMatchObject(refused)
    // Nor does it sign in again where it has.
    expect((await (await halfway(person)).show(code)).status).toBe(400)
  })

  it.each([
    ['the code that set it up', ({ used }: Enrolled) => used],
    ['an earlier code', ({ secret }: Enrolled) => codeOf(secret, -1)],
    ['a code of later', ({ secret }: Enrolled) => codeOf(secret, 3)],
    ['nothing', () => ''],
    ['a recovery code of somebody else', () => '0000-0000-0000-0000'],
  ])('and %s do not', async (_what, codeFor) => {
    const person = await enrol()
    const { show, call } = await halfway(person)
    expect(await show(codeFor(person))).toMatchObject(refused)
    expect((await call('GET', '/get-session')).body).toBeNull()
  })
})

describe('a sign-in under way', () => {
  it('is over after ten minutes', async () => {
    const person = await enrol()
    const { show } = await halfway(person)
    node.clock.aheadMs = 601_000
    expect(await show(codeOf(person.secret))).toMatchObject({
      status: 401,
      body: { reason: 'sign_in_failed' },
    })
  })

  it('is over when the password changes', async () => {
    const person = await enrol()
    const { show } = await halfway(person)
    const next = 'a new and better password'
    knowSecret('a password', next)
    const code = codeOf(person.secret, 1)
    const change = { current_password: password, new_password: next, code }
    await clientOf(node, person).account.changePassword.mutate(change)
    expect(await show(person.codes[0] ?? '')).toMatchObject({ status: 401 })
  })

  it.each([
    ['takes it away', (person: Enrolled) => stop(person)],
    ['has the operator take it away', ({ email }: Enrolled) => removeFactor(node.installation.store, email)],
  ])('is over when the person %s, whatever code comes', async (_what, end) => {
    const person = await enrol()
    const { show, call } = await halfway(person)
    await end(person)
    for (const code of ['x', '000000', person.codes[0] ?? '']) {
      expect(await show(code)).toMatchObject({ status: 401, body: { reason: 'sign_in_failed' } })
    }
    expect((await call('POST', '/sign-in/second-factor/options', {})).status).toBe(401)
    expect((await call('GET', '/get-session')).body).toBeNull()
    // Nor does a second factor of later finish it.
    const { codes } = await enrolAt(await signIn(node, person))
    expect(await show(codes[0] ?? '')).toMatchObject({ status: 401 })
  })

  it('is nothing in another browser, nor one that was made up', async () => {
    const person = await enrol()
    const other = callsOf(node, newBrowser())
    const code = codeOf(person.secret, 1)
    expect(await other('POST', '/sign-in/second-factor', { code })).toMatchObject({ status: 401 })
    const made = { cookie: `svc.second_factor=${person.email}.${nowMs() + 9_999}.0.abc` }
    expect(await other('POST', '/sign-in/second-factor', { code }, made)).toMatchObject({ status: 401 })
  })
})

describe('guesses of codes', () => {
  it('are over for 15 minutes after ten wrong ones, from whatever browser', async () => {
    const person = await enrol()
    const [one, { show }] = [await halfway(person), await halfway(person)]
    for (let i = 0; i < 5; i += 1) {
      for (const each of [one.show, show]) expect(await each('000000')).toMatchObject(refused)
    }
    const limited = { status: 429, body: { reason: 'rate_limited' } }
    expect(await show(codeOf(person.secret, 1))).toMatchObject(limited)
    expect(await show(person.codes[0] ?? '')).toMatchObject(limited)
    node.clock.aheadMs = 15 * 60_000 + 1_000
    expect(await (await halfway(person)).show(codeOf(person.secret))).toMatchObject({ status: 200 })
  })
})

describe('the page after the password', () => {
  it('takes the code and leads on, without a script', async () => {
    const person = await enrol()
    const browser = newBrowser()
    const place = `${node.apiUrl}/auth/sign-in`
    const fields = { email: person.email, password, next: '/acme/web' }
    expect((await browser.submit(place, fields)).text).toContain('Your code')
    const wrong = await browser.submit(`${node.apiUrl}/auth/second-factor`, { code: '1', next: '/acme/web' })
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('This code is not') })
    expect(wrong.text).toContain('value="/acme/web"')
    const code = codeOf(person.secret, 1)
    const entered = await browser.submit(`${node.apiUrl}/auth/second-factor`, { code, next: '/acme/web' })
    expect(entered.url).toBe(`${node.apiUrl}/acme/web`)
    expect((await callsOf(node, browser)('GET', '/get-session')).body.user.email).toBe(person.email)
  })

  it('follows a link that sets another password, too', async () => {
    const person = await enrol()
    const { token } = await newLink(node, person.email)
    expect((await useLink(node, token)).text).toContain('Your code')
  })
})

describe('a second factor', () => {
  it('is not in use before its first code', async () => {
    const person = await signIn(node, await newPerson(node))
    const { account } = clientOf(node, person)
    const first = await account.startSecondFactor.mutate({ current_password: password })
    const second = await account.startSecondFactor.mutate({ current_password: password })
    for (const { secret } of [first, second]) knowSecret("an app's secret", secret)
    expect(second.url).toMatch(/^otpauth:\/\/totp\/localhost:[^:]*\?issuer=localhost&/)
    expect(second.secret).not.toBe(first.secret)
    await signIn(node, person)
    await expect(account.confirmSecondFactor.mutate({ code: codeOf(first.secret) })).rejects.toMatchObject({
      data: { reason: 'invalid_input' },
    })
    expect((await account.get.query({})).second_factor).toMatchObject({ on: false, recovery_codes: 0 })
    const { recovery_codes: codes } = await account.confirmSecondFactor.mutate({
      code: codeOf(second.secret),
    })
    expect(new Set(codes).size).toBe(10)
    expect((await account.get.query({})).second_factor).toMatchObject({
      on: true,
      app: true,
      recovery_codes: 10,
    })
    await expect(account.startSecondFactor.mutate({ current_password: password })).rejects.toMatchObject({
      data: { reason: 'second_factor_set' },
    })
  })

  it('is set up and taken away only by who knows the password, and the code', async () => {
    const { account } = clientOf(node, await signIn(node, await newPerson(node)))
    const wrong = { data: { reason: 'invalid_input', issues: [{ path: 'current_password' }] } }
    knowSecret('a password', 'not it')
    await expect(account.startSecondFactor.mutate({ current_password: 'not it' })).rejects.toMatchObject(
      wrong,
    )
    const person = await enrol()
    const own = clientOf(node, person).account
    const code = codeOf(person.secret, 1)
    await expect(own.stopSecondFactor.mutate({ current_password: 'not it', code })).rejects.toMatchObject(
      wrong,
    )
    await expect(
      own.stopSecondFactor.mutate({ current_password: password, code: '1' }),
    ).rejects.toMatchObject({
      data: { issues: [{ path: 'code' }] },
    })
    expect(await own.stopSecondFactor.mutate({ current_password: password, code })).toMatchObject({
      on: false,
    })
    await signIn(node, person)
  })

  it('has other recovery codes after they were renewed', async () => {
    const person = await enrol()
    const { recovery_codes: renewed } = await clientOf(node, person).account.renewRecoveryCodes.mutate({
      current_password: password,
      code: codeOf(person.secret, 1),
    })
    const { show } = await halfway(person)
    expect(await show(person.codes[1] ?? '')).toMatchObject(refused)
    expect(await show(renewed[1] ?? '')).toMatchObject({ status: 200 })
  })

  it('is taken away by the operator, who knows the address', async () => {
    const person = await enrol()
    const { store } = node.installation
    const other = await halfway(person)
    expect(await other.show(codeOf(person.secret, 1))).toMatchObject({ status: 200 })
    await removeFactor(store, person.email.toUpperCase())
    await expect(clientOf(node, person).account.get.query({})).rejects.toMatchObject(unauthorized)
    expect((await other.call('GET', '/get-session')).body).toBeNull()
    await signIn(node, person)
    await expect(removeFactor(store, person.email)).rejects.toMatchObject({ reason: 'invalid_input' })
    await expect(removeFactor(store, undefined)).rejects.toMatchObject({ reason: 'invalid_input' })
  })

  it('ends the other sessions of its person once it is in use, when it is the first one', async () => {
    const person = await signIn(node, await newPerson(node))
    const other = clientOf(node, await signIn(node, person))
    const { account } = clientOf(node, person)
    const { secret } = await account.startSecondFactor.mutate({ current_password: password })
    knowSecret("an app's secret", secret)
    await other.account.get.query({})
    await account.confirmSecondFactor.mutate({ code: codeOf(secret) })
    await expect(other.account.get.query({})).rejects.toMatchObject(unauthorized)
    await account.get.query({})
  })

  it('takes ten codes before it is in use, and none after 15 minutes', async () => {
    const { account } = clientOf(node, await signIn(node, await newPerson(node)))
    const start = () => account.startSecondFactor.mutate({ current_password: password })
    const confirm = (code: string) => account.confirmSecondFactor.mutate({ code })
    const first = await start()
    for (let i = 0; i < 9; i += 1) await expect(confirm('000000')).rejects.toMatchObject(wrongCode)
    // Another secret begins no other count.
    const { secret } = await start()
    for (const each of [first.secret, secret]) knowSecret("an app's secret", each)
    await expect(confirm('000000')).rejects.toMatchObject(wrongCode)
    const limited = { data: { reason: 'rate_limited', httpStatus: 429 } }
    await expect(confirm(codeOf(secret))).rejects.toMatchObject(limited)
    node.clock.aheadMs = 15 * 60_000 + 1_000
    await expect(confirm(codeOf(secret))).rejects.toMatchObject(wrongCode)
    const { secret: next } = await start()
    knowSecret("an app's secret", next)
    expect(await confirm(codeOf(next))).toMatchObject({ recovery_codes: { length: 10 } })
  })

  it('is stored so that neither its secret nor a recovery code can be read', async () => {
    const person = await enrol()
    const rows = JSON.stringify(await node.installation.store.db.select().from(secondFactors))
    for (const secret of [
      person.secret,
      ...person.codes,
      ...person.codes.map((code) => code.replaceAll('-', '')),
    ])
      expect(rows).not.toContain(secret)
  })
})

describe('a session that was proven with a second factor', () => {
  /** Has the person's own team require one. */
  async function requireOne(person: Person) {
    const client = clientOf(node, person)
    const [team] = (await client.teams.list.query({})).data
    await client.teams.requireSecondFactor.mutate({ team: team?.id ?? '', required: true })
    return client
  }

  it('is one of a password once the last one is gone', async () => {
    const person = await enrol()
    const client = await requireOne(person)
    const other = await halfway(person)
    expect(await other.show(person.codes[0] ?? '')).toMatchObject({ status: 200 })
    const elsewhere = clientOf(node, { ...person, browser: other.browser })
    await elsewhere.projects.list.query({})
    await stop(person)
    for (const each of [client, elsewhere]) {
      await expect(each.projects.list.query({})).rejects.toMatchObject(factorRequired)
      expect((await each.account.get.query({})).second_factor).toMatchObject({ on: false })
    }
    await enrolAt(person)
    await client.projects.list.query({})
    await expect(elsewhere.account.get.query({})).rejects.toMatchObject(unauthorized)
  })

  it('stays one in a changed password’s place, which takes a code, while there is one', async () => {
    const person = await enrol()
    await requireOne(person)
    const next = 'a new and better password'
    knowSecret('a password', next)
    const change = (more: object) =>
      person.call('POST', '/change-password', { currentPassword: password, newPassword: next, ...more })
    for (const more of [{}, { code: 'x' }]) expect(await change(more)).toMatchObject(refused)
    const { account } = clientOf(node, person)
    const typed = { current_password: password, new_password: next }
    await expect(account.changePassword.mutate(typed)).rejects.toMatchObject(wrongCode)
    expect(await change({ code: codeOf(person.secret, 1) })).toMatchObject({ status: 200 })
    await clientOf(node, person).projects.list.query({})
  })

  it('is none in a changed password’s place once it is gone', async () => {
    const person = await enrol()
    await requireOne(person)
    await stop(person)
    const next = 'a new and better password'
    knowSecret('a password', next)
    const change = { currentPassword: password, newPassword: next }
    expect(await person.call('POST', '/change-password', change)).toMatchObject({ status: 200 })
    const client = clientOf(node, person)
    await client.account.get.query({})
    await expect(client.projects.list.query({})).rejects.toMatchObject(factorRequired)
  })
})
