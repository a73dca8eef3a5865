/** A newcomer's way: the link of the first start, a first site, a key, signing out and in again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { visit } from '../../../test/platform/deployments/steps.ts'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import { apiOf } from '../../../test/support/api.ts'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { axeViolations, closeChromium, newVisitor, settled } from './chromium.ts'

const email = 'ada@example.com'
const password = 'correct horse battery staple'

let node: TestNode

beforeEach(async () => {
  node = await startOwnNode({ SVC_DASHBOARD: 'on' })
})

afterEach(() => node.stop())
afterAll(closeChromium)

it('leads from the first link to a site, a key, and out', async () => {
  const { page, visit: goTo, problems } = await newVisitor(node)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await goTo(node.firstLink ?? '')
  await page.getByLabel('Email').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('input[name=again]').fill(password)
  await page.getByRole('button').click()
  await page.getByRole('heading', { name: 'Your first site' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/personal')
  expect(await axeViolations(page)).toEqual([])

  const folder = await mkdtemp(join(tmpdir(), 'svc-tour-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), '<h1>Hello</h1>')
  await page.getByLabel('Folder', { exact: true }).setInputFiles(folder)
  await page.getByLabel('Project', { exact: true }).fill('hello')
  await button('Deploy').click()
  const address = await page.getByRole('link', { name: 'Visit' }).getAttribute('href')
  expect((await visit(address ?? '')).body).toBe('<h1>Hello</h1>')
  await page.getByRole('link', { name: 'Show the deployment' }).click()
  await page.getByText('None: served as sent').waitFor()
  await page.getByText('index.html').waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('settings')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'API keys' }).click()
  await button('New key').click()
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await button('Create').click()
  const dialog = page.getByRole('dialog', { name: 'Copy the key now' })
  const token = (await dialog.locator('code').first().textContent()) ?? ''
  knowSecret('the key of the tour', token)
  expect(await dialog.getByText('svc login').textContent()).toBe(`svc login --url ${node.apiUrl}`)
  await button('I have copied it').click()
  const { body } = await apiOf(node, token)('GET', '/v1/projects')
  expect(body.data).toMatchObject([{ name: 'hello' }])

  await button('Account and theme').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/auth/sign-in**')
  await goTo('/personal/hello/deployments')
  await page.waitForURL('**/auth/sign-in?next=**')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/personal/hello/deployments')
  await settled(page)
  expect(problems().filter((each) => !/status of 40[01]/.test(each))).toEqual([])
})
