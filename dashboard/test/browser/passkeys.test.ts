/**
 * Passkeys with a real browser, whose authenticator is a virtual one.
 *
 * @module-tag long
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { clientOf, newPerson, type Person, password, signIn } from '../../../test/support/person.ts'
import { accountOf, newSession } from '../../../test/support/session.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

afterAll(closeChromium)

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

afterAll(() => node.stop())

/** Gives a page an authenticator that verifies its person, as a phone or a laptop has. */
async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    forget: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }),
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** The account page of a person, in a browser with an authenticator. */
async function openAccount() {
  const person = await newPerson(node)
  const there = await signIn(node, person)
  const { user } = await clientOf(node, there).account.get.query({})
  const visitor = await newVisitor(node, { session: await newSession(node, user.id) })
  const authenticator = await withAuthenticator(visitor.page)
  await visitor.visit('/account')
  await settled(visitor.page)
  return { ...visitor, ...authenticator, user, person: there, part: partOf(visitor.page) }
}

function partOf(page: Page) {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) })
}

/** Adds the first passkey; resolves to the recovery codes. */
async function addFirst({ page }: Pick<Visitor, 'page'>, name?: string): Promise<string[]> {
  const part = partOf(page)
  await part.getByRole('button', { name: 'Add a passkey' }).click()
  await part.getByText('the password alone signs you in no more').waitFor()
  if (name !== undefined) await part.getByLabel('Name of the passkey').fill(name)
  await part.getByLabel('Password', { exact: true }).fill(password)
  await part.getByRole('button', { name: 'Make the passkey' }).click()
  const codes = ((await part.locator('pre').textContent()) ?? '').split('\n')
  for (const code of codes) knowSecret('a recovery code', code)
  await part.getByRole('button', { name: 'I have stored them' }).click()
  await part.getByRole('table', { name: 'Passkeys' }).waitFor()
  return codes
}

async function signOut({ context }: Pick<Visitor, 'context'>): Promise<void> {
  await context.clearCookies()
}

async function typePassword(page: Page, { email }: Person): Promise<void> {
  await page.goto(`${node.apiUrl}/auth/sign-in?next=/account`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

describe('a passkey', () => {
  it('is added on the account page, and signs in alone, leading on', async () => {
    const account = await openAccount()
    const { page, part, user, problems } = account
    expect(await addFirst(account)).toHaveLength(10)
    await part.getByText('Chrome on Linux').waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect((await accountOf(node, user.id)).second_factor).toMatchObject({
      on: true,
      passkeys: 1,
    })
    await signOut(account)
    await page.goto(`${node.apiUrl}/auth/sign-in?next=/account`)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await part.getByRole('row').filter({ hasText: 'Chrome on Linux' }).waitFor()
    expect(await part.getByText('never').count()).toBe(0)
    expect(problems()).toEqual([])
  })

  it('takes the place of a code after the password', async () => {
    const account = await openAccount()
    const { page, person } = account
    await addFirst(account)
    await signOut(account)
    await typePassword(page, person)
    await page.getByRole('heading', { name: 'Your second factor' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    expect(account.problems()).toEqual([])
  })

  it('that is lost is replaced by a recovery code', async () => {
    const account = await openAccount()
    const { page, person } = account
    const [code = ''] = await addFirst(account)
    await account.forget()
    await signOut(account)
    await typePassword(page, person)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  })

  it('is renamed, proves the next change, and is removed', async () => {
    const account = await openAccount()
    const { page, part, person, user, problems } = account
    await addFirst(account, 'A laptop')
    await part.getByRole('button', { name: 'Rename A laptop' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('A phone')
    await page.keyboard.press('Enter')
    await part.getByText('A phone').waitFor()
    await part.getByRole('button', { name: 'Remove A phone' }).click()
    await dialog.getByText('It is your last one').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await dialog.waitFor({ state: 'detached' })
    await part.getByRole('table').waitFor({ state: 'detached' })
    expect((await accountOf(node, user.id)).second_factor.on).toBe(false)
    await signIn(node, person)
    expect(problems()).toEqual([])
  })

  it('is not made twice by the same device, nor used by somebody whom it does not know', async () => {
    const account = await openAccount()
    const { page, part } = account
    const [code = ''] = await addFirst(account)
    await part.getByRole('button', { name: 'Add a passkey' }).click()
    await part.getByLabel('Password', { exact: true }).fill(password)
    await part.getByLabel('Code').fill(code)
    await part.getByRole('button', { name: 'Make the passkey' }).click()
    await part.getByText('This device has a passkey of yours').waitFor()
    await account.verifies(false)
    await signOut(account)
    await page.goto(`${node.apiUrl}/auth/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    // And the button works again.
    await account.verifies(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${node.apiUrl}/`)
  })
})

describe('the pages', () => {
  it('fit a phone', async () => {
    const account = await openAccount()
    const { page } = account
    await addFirst(account)
    await page.setViewportSize({ width: 390, height: 900 })
    expect(await overflow(page)).toBe(0)
    await signOut(account)
    await page.goto(`${node.apiUrl}/auth/sign-in`)
    expect(await overflow(page)).toBe(0)
  })

  it('work without a script as before, where the button stays away', async () => {
    const { browser } = { browser: (await newVisitor(node)).context.browser() }
    const context = await browser?.newContext({ javaScriptEnabled: false })
    const page = await context?.newPage()
    await page?.goto(`${node.apiUrl}/auth/sign-in`)
    expect(await page?.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
    expect(await page?.getByRole('button', { name: 'Sign in', exact: true }).isVisible()).toBe(true)
    await context?.close()
  })
})
