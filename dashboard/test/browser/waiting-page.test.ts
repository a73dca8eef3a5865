/**
 * The page at `/` while there is no dashboard takes a folder or a zip.
 *
 * @module-tag long
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { lockDataDirectory } from '../../../src/stores/data-dir/lock.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'
import { visit } from '../../../test/platform/deployments/steps.ts'
import { exportedFiles, finishExport, newPlace } from '../../../test/support/dashboard.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { clientOf, newPerson, type Person, signIn } from '../../../test/support/person.ts'
import { joinNewTeam } from '../../../test/support/session.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { axeViolations, closeChromium, newVisitor, overflow } from './chromium.ts'

let place: Awaited<ReturnType<typeof newPlace>>
let building: Awaited<ReturnType<typeof lockDataDirectory>> | undefined
let node: TestNode
let person: Person

beforeAll(async () => {
  place = await newPlace()
  building = await lockDataDirectory(place.building)
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' }, { dashboard: place })
  person = await newPerson(node)
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
  await building?.release()
  await rm(place.root, { recursive: true })
})

/** A browser that has signed in, at the page. */
async function open({ email, password } = person) {
  const visitor = await newVisitor(node)
  await visitor.visit('/auth/sign-in')
  await visitor.page.getByLabel('Email').fill(email)
  await visitor.page.getByLabel('Password').fill(password)
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByRole('button', { name: 'Deploy' }).waitFor()
  return visitor
}

/** Deploys by keyboard alone, but for the dialog of the system that chooses a file. */
async function deploy(page: Page, name: string, zip: Buffer): Promise<void> {
  const file = { name, mimeType: 'application/zip', buffer: zip }
  await page.getByLabel('Or a zip of it').setInputFiles(file)
  await page.getByLabel('Project').press('Enter')
}

const site = zipOf([{ path: 'index.html', content: '<h1>Hello from a zip' }])

it('makes a project of the zip, puts it live, and links to it', async () => {
  const { page, problems } = await open()
  await deploy(page, 'My Site.zip', site)
  expect(await page.getByLabel('Project').inputValue()).toBe('my-site')
  const link = page.getByRole('status').getByRole('link')
  await link.waitFor()
  expect(await link.textContent()).toMatch(/^http:\/\/my-site(-[0-9a-f]+)?\./)
  const { data } = await clientOf(node, await signIn(node, person)).deployments.list.query({})
  expect(data).toMatchObject([{ live: true, source: { kind: 'dashboard' } }])
  expect(problems()).toEqual([])
  await link.click()
  await page.getByText('Hello from a zip').waitFor()
})

it('takes a folder, all of it but what is never deployed', async () => {
  const { page, problems } = await open()
  const folder = await mkdtemp(join(inject('directory'), 'Folder '))
  const files = {
    'index.html': '<h1>Hello from a folder',
    'Bücher/größe.txt': 'näher',
    'empty.txt': '',
    'node_modules/a/index.js': 'x',
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  await page.getByLabel('The folder of a site').setInputFiles(folder)
  const name = await page.getByLabel('Project').inputValue()
  expect(name).toMatch(/^folder-/)
  await page.getByRole('button', { name: 'Deploy' }).click()
  const link = page.getByRole('status').getByRole('link')
  await link.waitFor()
  expect(problems()).toEqual([])
  const url = (await link.getAttribute('href')) ?? ''
  expect((await visit(url)).body).toBe('<h1>Hello from a folder')
  expect((await visit(url, encodeURI('/Bücher/größe.txt'))).body).toBe('näher')
  expect((await visit(url, '/empty.txt')).status).toBe(200)
  expect((await visit(url, '/node_modules/a/index.js')).status).toBe(404)
})

it('refuses sources, a folder without a first page, and neither', async () => {
  const { page } = await open()
  const alert = page.getByRole('alert')
  await page.getByLabel('Project').fill('none')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await alert.filter({ hasText: 'Choose a folder or a zip.' }).waitFor()
  const folder = await mkdtemp(join(inject('directory'), 'sources-'))
  await writeFile(join(folder, 'main.js'), '')
  await page.getByLabel('The folder of a site').setInputFiles(folder)
  await page.getByRole('button', { name: 'Deploy' }).click()
  await alert.filter({ hasText: 'no index.html at its top' }).waitFor()
  await writeFile(join(folder, 'index.html'), '')
  await writeFile(join(folder, 'package.json'), '{}')
  await page.getByLabel('The folder of a site').setInputFiles(folder)
  await page.getByRole('button', { name: 'Deploy' }).click()
  await alert.filter({ hasText: 'These are sources' }).waitFor()
})

it('says what is wrong with a zip, and with a name', async () => {
  const { page } = await open()
  await deploy(page, 'broken.zip', Buffer.from('not a zip'))
  const alert = page.getByRole('alert')
  await alert.filter({ hasText: 'zip' }).waitFor()
  await page.getByLabel('Project').fill('Not a name')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await alert.filter({ hasText: 'DNS label' }).waitFor()
})

it('says what a site may lack', async () => {
  const { page } = await open()
  await deploy(page, 'folder.zip', zipOf([{ path: 'dist/index.html', content: 'nested' }]))
  await page.getByText('dist/index.html is there').waitFor()
})

it('asks for the team of a person with several', async () => {
  const member = await newPerson(node)
  const { user } = await clientOf(node, await signIn(node, member)).account.get.query({})
  const second = await joinNewTeam(node, user.id)
  const { page } = await open(member)
  await page.getByLabel('Team').selectOption(second.slug)
  await deploy(page, 'second.zip', site)
  await page.getByRole('status').getByRole('link').waitFor()
  const found = await node.installation.store.db.select().from(projects).where(eq(projects.teamId, second.id))
  expect(found).toMatchObject([{ name: 'second' }])
})

it('is accessible in light and dark, and fits a phone', async () => {
  const { page } = await open()
  expect(await axeViolations(page), 'in light').toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 900 })
  expect(await axeViolations(page), 'in dark').toEqual([])
  expect(await overflow(page)).toBe(0)
})

it('goes to the dashboard once it is built, unless a file is chosen', async () => {
  const idle = await open()
  const busy = await open()
  await busy.page.getByLabel('Or a zip of it').setInputFiles({
    name: 'later.zip',
    mimeType: 'application/zip',
    buffer: site,
  })
  await finishExport(place, exportedFiles('one'))
  await building?.release()
  building = undefined
  await idle.page.locator('p', { hasText: 'one' }).waitFor()
  await busy.page.getByRole('link', { name: 'The dashboard is ready.' }).waitFor()
  expect(await busy.page.getByLabel('Project').inputValue()).toBe('later')
})
