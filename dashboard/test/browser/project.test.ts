/**
 * A project's pages as its people use them: deployments as they are built, variables, and the end of it.
 *
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { visit } from '../../../test/platform/deployments/steps.ts'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { newPerson, password } from '../../../test/support/person.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, settled, type Visitor } from './chromium.ts'
import { folderOf, viteSources } from './folder.ts'

let node: TestNode
let team: TestTeam
let page: Visitor['page']
let goTo: Visitor['visit']

beforeAll(async () => {
  node = await startOwnNode({
    SVC_ROLES: 'api,edge,worker',
    SVC_DASHBOARD: 'on',
    SVC_BUILD_SANDBOX: 'none',
  })
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web', {})
  const visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
  goTo = visitor.visit
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** A line of the build log, behind its number. */
const line = (text: string) => page.getByRole('log').getByText(new RegExp(`^\\d+${text}$`))
const chooseFolder = (path: string) => page.getByLabel('Folder', { exact: true }).setInputFiles(path)
const build = (build_command: string) =>
  team.owner('PUT', '/v1/projects/web', { build: { build_command, output_directory: 'dist' } })
const deploy = (content: string, message = content) =>
  team.owner('POST', '/v1/deployments', {
    project: 'web',
    target: 'production',
    files: [{ path: 'index.html', content }],
    meta: { message },
  })

it('sources that the server builds give the project their settings', async () => {
  await goTo(`/${team.slug}`)
  await settled(page)
  await chooseFolder(await folderOf(viteSources))
  await page.getByLabel('Build on the server').check()
  await button('Deploy').click()
  await page.getByRole('list', { name: 'Progress' }).getByText('Building').waitFor()
  expect(new URL(page.url()).pathname).toMatch(`/${team.slug}/dist/deployments/dpl_`)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect((await team.owner('GET', '/v1/projects/dist')).body.build).toMatchObject({
    install_command: 'npm ci',
    build_command: 'npm run build',
    output_directory: 'dist',
  })

  // The project has a build command now: nothing is left to decide.
  await goTo(`/${team.slug}/dist`)
  await settled(page)
  await chooseFolder(await folderOf(viteSources))
  await page.getByRole('dialog', { name: 'Deploy to dist' }).waitFor()
  await expect.poll(() => button('Deploy').isEnabled(), { timeout: 20_000 }).toBe(true)
  expect(await page.getByText('These are sources').count()).toBe(0)
  // Its build would keep others waiting.
  const { data } = (await team.owner('GET', '/v1/deployments')).body
  await team.owner('DELETE', `/v1/deployments/${data[0].id}`)
})

describe('a deployment that is built', () => {
  it('shows each state and the log as they come, and then the site', async () => {
    await build('echo The build begins; sleep 2; mkdir dist; cp index.html dist/; echo The build ends')
    const { body } = await deploy('built')
    await goTo(`/${team.slug}/web/deployments/${body.id}`)
    const progress = page.getByRole('list', { name: 'Progress' })
    await progress.getByText('Building').waitFor()
    await line('The build begins').waitFor()
    await line('The build ends').waitFor()
    await expect.poll(() => page.title(), { timeout: 10_000 }).toMatch(/^Ready: built/)
    await page.getByRole('link', { name: 'Visit' }).waitFor()
    expect((await visit(body.url)).body).toBe('built')
  })

  it('and fails quotes the line that says why, on the overview too', async () => {
    await build('echo "npm warn deprecated cart" >&2; echo "cart.ts: error 1234"; exit 3')
    const { body } = await deploy('broken')
    await goTo(`/${team.slug}/web/deployments/${body.id}`)
    const alert = page.getByRole('alert')
    await alert.getByText('cart.ts: error 1234', { exact: true }).waitFor()
    await alert.getByText('build_failed').waitFor()
    expect(await alert.getByText('npm warn deprecated cart', { exact: true }).count()).toBe(0)
    await goTo(`/${team.slug}`)
    await page.getByRole('list', { name: 'Failed deployments' }).getByText('web').waitFor()
  })

  it('can be canceled', async () => {
    await build('echo waiting; sleep 60')
    const { body } = await deploy('never')
    await goTo(`/${team.slug}/web/deployments/${body.id}`)
    await line('waiting').waitFor()
    await page.getByRole('link', { name: 'Project', exact: true }).click()
    await page.getByText('Nothing is live yet: what is being deployed goes live once it is ready.').waitFor()
    await page.goBack()
    await button('Cancel').click()
    await button('Cancel the deployment').click()
    await page.getByRole('list', { name: 'Progress' }).getByText('Canceled').waitFor()
    await page.getByRole('link', { name: 'Project', exact: true }).click()
    await page.getByText('Nothing is live. Deploy with').waitFor()
  })
})

it('an earlier deployment goes live again, with what it changes', async () => {
  const { body: first } = await deploy('one')
  const { body: second } = await deploy('two')
  await goTo(`/${team.slug}/web/deployments/${first.id}?tab=changes`)
  await page.getByText('index.html').first().waitFor()
  await button('Make live again').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click()
  await page.getByText('Live', { exact: true }).first().waitFor()
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  expect((await visit(project.production_url)).body).toBe('one')
  await goTo(`/${team.slug}/web/deployments/${second.id}`)
  await settled(page)
  expect(await page.getByText('Live', { exact: true }).count()).toBe(0)
})

it('Roll back goes one further back each time, and ends with the oldest', async () => {
  for (const content of ['one', 'two', 'three']) await deploy(content)
  await goTo(`/${team.slug}/web`)
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  for (const expected of ['two', 'one']) {
    await button('Roll back').click()
    await page.getByRole('dialog').getByText(`“${expected}” becomes what visitors`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click()
    await page.getByText(`“${expected}” is live.`).waitFor()
    expect((await visit(project.production_url)).body).toBe(expected)
  }
  await expect.poll(() => button('Roll back').count()).toBe(0)
})

it('the text of a .env file sets all its variables, whose values are never shown again', async () => {
  await goTo(`/${team.slug}/web/settings`)
  await settled(page)
  await button('Set variables').click()
  const paste = async (text: string) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text)
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press('Control+v')
  }
  await paste('API_URL="https://api.example.com\nSECRET=kept-from-view\n')
  await page.getByText('Not pasted: line 1: the value begins with ", and does not end with it.').waitFor()
  await paste('# of the API\nAPI_URL="https://api.example.com"\nexport SECRET=kept-from-view\n')
  await button('Set 2 variables').click()
  const table = page.getByRole('table', { name: 'Environment variables' })
  await table.getByRole('cell', { name: 'SECRET', exact: true }).waitFor()
  await page.reload()
  await table.getByRole('cell', { name: 'API_URL', exact: true }).waitFor()
  expect(await page.content()).not.toContain('kept-from-view')
  expect((await team.owner('GET', '/v1/projects/web')).body.env).toMatchObject([
    { key: 'API_URL' },
    { key: 'SECRET' },
  ])
})

it('a variable has another value for previews of a branch, whose newest has its address', async () => {
  const { body } = await team.owner('POST', '/v1/deployments', {
    project: 'web',
    meta: { branch: 'next' },
    files: [{ path: 'index.html', content: 'next' }],
  })
  await goTo(`/${team.slug}/web`)
  const previews = page.getByRole('table', { name: 'Previews' })
  await previews.getByText(body.aliases[0]).waitFor()
  await goTo(`/${team.slug}/web/settings`)
  await button('Set variables').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('GREETING')
  await dialog.getByLabel('Value').fill('later')
  await dialog.getByRole('combobox', { name: 'For' }).selectOption('Previews of one branch')
  await dialog.getByLabel('Branch').fill('next')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  const variables = async () => (await team.owner('GET', '/v1/projects/web')).body.env
  await button('Remove GREETING for previews of next').click()
  expect(await variables()).toMatchObject([{ key: 'GREETING', target: ['preview'], branch: 'next' }])
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(variables).toEqual([])
})

it('a changed variable offers to deploy what is live again', async () => {
  await build('mkdir dist; echo "$GREETING" > dist/index.html')
  await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'GREETING', value: 'morning' }] })
  const { body: first } = await deploy('greets')
  await team.owner('GET', `/v1/deployments/${first.id}?wait_s=30`)
  await goTo(`/${team.slug}/web/settings`)
  await button('Set variables').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('GREETING')
  await dialog.getByLabel('Value').fill('night')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await button('Deploy what is live again').click()
  await dialog.getByRole('button', { name: 'Deploy again' }).click()
  await page.waitForURL(`**/${team.slug}/web/deployments/*`)
  await expect.poll(() => page.title(), { timeout: 15_000 }).toMatch(/^Ready: greets/)
  await page.getByRole('link', { name: first.id }).waitFor()
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  expect(await visit(project.production_url)).toEqual({ status: 200, body: 'night\n' })
})

it('a version that failed is deployed again from its page', async () => {
  await build('exit 1')
  const { body } = await deploy('breaks')
  await team.owner('GET', `/v1/deployments/${body.id}?wait_s=30`)
  await build('mkdir dist; cp index.html dist/')
  await goTo(`/${team.slug}/web/deployments/${body.id}`)
  await button('Deploy again').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy again' }).click()
  await expect.poll(() => page.title(), { timeout: 15_000 }).toMatch(/^Ready: breaks/)
})

it('a deployment leads to its commit and its pull request at the forge', async () => {
  const repository = 'https://gitlab.com/acme/web'
  const { body } = await team.owner('POST', '/v1/deployments', {
    project: 'web',
    files: [{ path: 'index.html', content: 'linked' }],
    meta: { branch: 'next', commit: '18dc59b2a3c4', repository, pull_request: '7' },
  })
  await goTo(`/${team.slug}/web/deployments/${body.id}`)
  const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href')
  expect(await hrefOf('next @ 18dc59b')).toBe(`${repository}/-/commit/18dc59b2a3c4`)
  expect(await hrefOf('pull request 7')).toBe(`${repository}/-/merge_requests/7`)
})

it('is shared by a link, which is shown once, and opens with a password that its page takes', async () => {
  await deploy('guarded')
  await team.owner('PUT', '/v1/projects/web', { protection: 'all' })
  await goTo(`/${team.slug}/web/settings`)
  await button('New link').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const link = (await dialog.locator('code, pre').first().innerText()).trim()
  knowSecret('the secret of a share link', link.split('x-svc-share=')[1])
  await button('I have copied it').click()
  await page.getByRole('table', { name: 'Share links' }).getByText('Revoke').waitFor()
  expect(await page.content()).not.toContain(link)
  knowSecret('a password', 'open sesame')
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await button('Set the password').click()
  await page.getByLabel('New password').waitFor()
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  const stranger = await newVisitor(node, {})
  await stranger.page.goto(project.production_url)
  await stranger.page.getByLabel('Password of this site').fill('open sesame')
  await stranger.page.getByRole('button', { name: 'Open' }).click()
  await stranger.page.getByText('guarded').waitFor()
  expect(await stranger.page.evaluate('document.cookie')).toBe('')
})

it('has a deploy hook, whose address is given once, says what it deployed, and is revoked', async () => {
  await deploy('from the CMS')
  await goTo(`/${team.slug}/web/settings`)
  await button('New hook').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Articles')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const address = (await dialog.locator('code, pre').first().innerText()).trim()
  knowSecret('the secret of a deploy hook', address.split('/').at(-1))
  await button('I have copied it').click()
  const hooks = page.getByRole('table', { name: 'Deploy hooks' })
  await hooks.getByText('never').waitFor()
  expect(await page.content()).not.toContain(address)
  const { deployment } = await (await fetch(address, { method: 'POST' })).json()
  await hooks.getByText('never').waitFor({ state: 'detached' })
  await button('Revoke the hook Articles').click()
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('No deploy hooks').waitFor()
  expect((await fetch(address, { method: 'POST' })).status).toBe(404)
  await goTo(`/${team.slug}/web/deployments/${deployment}`)
  await page.getByText('A deploy hook, Articles: The sources of').waitFor()
})

it('protected, leads its people to sign in, and back to the page that they wanted', async () => {
  await team.owner('POST', '/v1/deployments', {
    project: 'web',
    target: 'production',
    files: [{ path: 'docs/index.html', content: 'guarded docs' }],
  })
  const { body: project } = await team.owner('PUT', '/v1/projects/web', { protection: 'all' })
  const { email } = await newPerson(node)
  const { db } = node.installation.store
  const [user] = await db.select().from(users).where(eq(users.email, email))
  await db
    .insert(members)
    .values({ teamId: team.id, userId: user?.id ?? '', role: 'member', joinedMs: Date.now() })
  const person = await newVisitor(node, {})
  await person.page.goto(`${project.production_url}/docs/?a=1`)
  await person.page.getByRole('link', { name: 'Sign in' }).click()
  await person.page.getByLabel('Email').fill(email)
  await person.page.getByLabel('Password').fill(password)
  await person.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await person.page.waitForURL(`${project.production_url}/docs/?a=1`)
  await person.page.getByText('guarded docs').waitFor()
  expect(await person.page.evaluate('document.cookie')).toBe('')
})

it('has one button that saves what was changed on its page of settings, and nothing else', async () => {
  await goTo(`/${team.slug}/web/settings`)
  await settled(page)
  await button('Save').click()
  await page.getByText('Nothing has changed.').waitFor()
  await page.getByLabel('Framework').selectOption('Vite')
  await page.getByLabel('Who may visit').selectOption('all')
  await page.getByLabel('Single-page application').check()
  await page.getByLabel('Single-page application').uncheck()
  await page.getByLabel('Name', { exact: true }).fill('renamed')
  await button('Save').click()
  await page.waitForURL(`**/${team.slug}/renamed/settings`)
  await expect.poll(() => page.getByLabel('Output directory').inputValue()).toBe('dist')
  const { body } = await team.owner('GET', '/v1/projects/renamed')
  expect(body).toMatchObject({
    protection: 'all',
    spa: false,
    build: { install_command: 'npm ci', build_command: 'npm run build', output_directory: 'dist' },
  })
})

it('keeps a secret in view that was made while other settings were changed and saved', async () => {
  await goTo(`/${team.slug}/web/settings`)
  await settled(page)
  await page.getByLabel('Who may visit').selectOption('all')
  await button('Make one').click()
  await page.getByText('Copy it now').waitFor()
  const secret = page.locator('pre').filter({ hasText: /^[0-9a-f]{48}$/ })
  const text = await secret.innerText()
  knowSecret('a bypass secret', text)
  await button('Save').click()
  await page.getByText('Saved.').waitFor()
  expect(await secret.innerText()).toBe(text)
  expect((await team.owner('GET', '/v1/projects/web')).body).toMatchObject({
    protection: 'all',
    bypass_set: true,
  })
})

it('whose name is unknown has the pages of its team alone', async () => {
  await goTo(`/${team.slug}/nothing/deployments`)
  await page.getByText('It may have been deleted or renamed').waitFor()
  const tabs = page.getByRole('navigation', { name: 'Team' })
  expect(await tabs.getByRole('link', { name: 'Webhooks' }).count()).toBe(1)
  expect(await page.getByRole('navigation', { name: 'Project' }).count()).toBe(0)
  await goTo('/nobody-s-team')
  await page.getByText('There is no such team, or you are not in it.').waitFor()
  expect(await page.getByRole('navigation', { name: 'Team' }).count()).toBe(0)
})

it('is deleted once its name is typed', async () => {
  await deploy('last')
  await goTo(`/${team.slug}/web/settings`)
  await button('Delete web').click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete the project' })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Type web to confirm').fill('web')
  await confirm.click()
  await page.waitForURL(`**/${team.slug}`)
  expect((await team.owner('GET', '/v1/projects/web')).status).toBe(404)
})

it('is found in the log by what is in a line, with the search in the address', async () => {
  const { body } = await deploy('logged')
  await visit(body.url, '/a-page-that-is-missing')
  await goTo(`/${team.slug}/web/logs`)
  await page.getByLabel('Search messages').fill('a-page-that-is')
  await page.waitForURL('**/logs?q=a-page-that-is')
  const line = page.getByRole('button', { name: /404 GET .*\/a-page-that-is-missing/ })
  await line.click({ timeout: 15_000 })
  await page.getByRole('dialog').getByText('Status').first().waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await line.waitFor()
})
