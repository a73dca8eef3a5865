/**
 * The page of a person's own account.
 *
 * @module-tag long
 */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { accounts } from '../../../src/stores/db/schema/people.ts'
import { jwtSecret } from '../../../test/support/enforcing-node.ts'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { clientOf, newPerson, type Person, password, signIn } from '../../../test/support/person.ts'
import { accountOf, newSession } from '../../../test/support/session.ts'
import { newTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled } from './chromium.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newPassword = 'a new and better password'

/** A provider that nobody asks: only its name is shown. */
const oidc = {
  SVC_OIDC_ISSUER: 'https://id.example.com',
  SVC_OIDC_CLIENT_ID: 'svc',
  SVC_OIDC_CLIENT_SECRET: 'a secret of the client',
  SVC_OIDC_NAME: 'Example ID',
}

afterAll(closeChromium)

/** A page of the account, of a person who is signed in there and at another place. */
async function openAccount(node: TestNode) {
  const person = await newPerson(node)
  const there = await signIn(node, person, { 'user-agent': firefox })
  const { user } = await clientOf(node, there).account.get.query({})
  const session = await newSession(node, user.id)
  const visitor = await newVisitor(node, { session })
  await visitor.visit('/account')
  await settled(visitor.page)
  return { ...visitor, person, there, session, user }
}

async function isSignedIn({ call }: Person): Promise<boolean> {
  return (await call('GET', '/get-session')).body !== null
}

/** The first change finds out that a JWT is required. */
const refused = /^console: .* 401 \(Unauthorized\)$/

describe.each<[string, Record<string, string>]>([
  ['where changes need no JWT', {}],
  ['where changes need one', { SVC_JWT_SECRET: jwtSecret }],
])('%s', (_, environment) => {
  const isUnexpected = (problem: string) =>
    environment['SVC_JWT_SECRET'] === undefined || !refused.test(problem)

  let node: TestNode

  beforeAll(async () => {
    knowSecret('a password', newPassword)
    node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on', ...environment })
  })

  afterAll(() => node.stop())

  it('the name that a person chooses stays', async () => {
    const { page, visit, problems, there } = await openAccount(node)
    await page.getByLabel('Name', { exact: true }).fill('  Ada Lovelace ')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await visit('/account')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace')
    expect((await clientOf(node, there).account.get.query({})).user.name).toBe('Ada Lovelace')
    expect(problems().filter(isUnexpected)).toEqual([])
  })

  it('a second factor is set up, asked for at the next sign-in, and taken away', async () => {
    const { page, person, user, problems } = await openAccount(node)
    const part = page.locator('section', { hasText: 'Second factor' })
    await part.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await part.getByRole('img', { name: 'as a QR code' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    const secret = (await part.locator('code').textContent()) ?? ''
    knowSecret("an app's secret", secret)
    await part.getByRole('button', { name: 'Confirm' }).click()
    const isFocused = (field: Element) => field === document.activeElement
    expect(await part.getByRole('textbox', { name: 'Code' }).evaluate(isFocused)).toBe(true)
    const codeAt = (ms: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: ms })
    await part.getByRole('textbox', { name: 'Code' }).fill(codeAt(Date.now()))
    await page.keyboard.press('Enter')
    const codes = ((await part.locator('pre').textContent()) ?? '').split('\n')
    expect(codes).toHaveLength(10)
    await part.getByRole('button', { name: 'I have stored them' }).click()
    await part.getByText('10 recovery codes are left.').waitFor()

    const other = await newVisitor(node)
    await other.page.goto(`${node.apiUrl}/auth/sign-in?next=/account`)
    await other.page.getByLabel('Email').fill(person.email)
    await other.page.getByLabel('Password').fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('heading', { name: 'Your code' }).waitFor()
    expect(await axeViolations(other.page)).toEqual([])
    await other.page.getByLabel('Code').fill(codes[0] ?? '')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()

    await page.reload()
    await part.getByText('9 recovery codes are left.').waitFor()
    await part.getByRole('button', { name: 'Take the app away' }).click()
    await part.getByText('It is your only second factor').waitFor()
    await part.getByLabel('Password', { exact: true }).fill(password)
    await part.getByRole('textbox', { name: 'Code' }).fill(codes[1] ?? '')
    await part.getByRole('button', { name: 'Take the app for codes away' }).click()
    await part.getByRole('button', { name: 'Set up an app for codes' }).waitFor()
    expect((await accountOf(node, user.id)).second_factor.on).toBe(false)
    expect(problems().filter(isUnexpected)).toEqual([])
  })

  it('a new password ends the other sessions, and the page goes on', async () => {
    const { page, person, there } = await openAccount(node)
    const list = page.getByRole('table', { name: 'Sessions' })
    await list.getByText('Firefox on Linux').waitFor()
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill(newPassword)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Current password is not your password').waitFor()
    expect(await isSignedIn(there)).toBe(true)

    await page.getByLabel('Current password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Password changed.').waitFor()
    await list.getByText('Firefox on Linux').waitFor({ state: 'detached' })
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    expect(await isSignedIn(there)).toBe(false)
    await signIn(node, { ...person, password: newPassword })
  })

  it('sessions are ended: one by one, and all others, each after a question', async () => {
    const { page, person, there, problems } = await openAccount(node)
    const list = page.getByRole('table', { name: 'Sessions' })
    const own = list.getByRole('row').filter({ hasText: 'This one' })
    await own.waitFor()
    expect(await own.getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: 'End the session of Firefox on Linux' }).click()
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await isSignedIn(there)).toBe(true)
    await page.getByRole('button', { name: 'End the session of Firefox on Linux' }).press('Enter')
    await question.getByRole('button', { name: 'End the session' }).press('Enter')
    await question.waitFor({ state: 'detached' })
    await list.getByText('Firefox on Linux').waitFor({ state: 'detached' })
    expect(await isSignedIn(there)).toBe(false)

    const others = [await signIn(node, person), await signIn(node, person)]
    await page.reload()
    await page.getByRole('button', { name: 'End all others' }).click()
    await question.getByText('End 2 other sessions?').waitFor()
    await question.getByRole('button', { name: 'End all others' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false])
    await expect.poll(() => list.getByRole('row').count()).toBe(2)
    await expect.poll(() => page.getByRole('button', { name: 'End all others' }).count()).toBe(0)
    expect(problems().filter(isUnexpected)).toEqual([])
  })
})

describe('the page', () => {
  let node: TestNode

  beforeAll(async () => {
    node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on', ...oidc })
  })

  afterAll(() => node.stop())

  let account: Awaited<ReturnType<typeof openAccount>>

  beforeEach(async () => {
    account = await openAccount(node)
  })

  it('is accessible, and fits a phone, where each value says what it is', async () => {
    const { page } = account
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 900 })
    await page.reload()
    await settled(page)
    expect(await overflow(page)).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.getByText('Last used').last().waitFor()
  })

  it('is reached from the menu of every page of a team, with the keyboard alone', async () => {
    const team = await newTeam(node)
    const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
    await visit(`/${team.slug}`)
    await settled(page)
    await page.getByRole('button', { name: 'Account and theme' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Account' }).press('Enter')
    await page.waitForURL('**/account')
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    // Of whom nothing is known yet.
    await page.getByText('None yet').waitFor()
    await page.getByText('The operator of this server can create a link').waitFor()
  })

  it('says how a person signs in who has no password', async () => {
    const team = await newTeam(node)
    const id = newId('account', Date.now())
    await node.installation.store.db.insert(accounts).values({
      id,
      userId: team.ownerId,
      providerId: 'oidc',
      accountId: id,
      createdMs: 1,
      updatedMs: 1,
    })
    const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
    await visit('/account')
    await page.getByText('You sign in with Example ID, and have no password here.').waitFor()
    expect(await page.getByLabel('Current password').count()).toBe(0)
  })

  it('leads to the sign-in page and back without a session', async () => {
    const { page, session } = account
    await session.end()
    await page.reload()
    await page.waitForURL('**/auth/sign-in?next=**')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/account')
  })
})
