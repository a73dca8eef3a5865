/** The repository at a forge that a project deploys: from its address to what the forge sent. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgeDeliveries } from '../../../src/stores/db/schema/project-repositories.ts'
import { pullRequestOf, pushOf, send } from '../../../test/platform/forges/steps.ts'
import type { Answer } from '../../../test/support/api.ts'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

const url = 'https://github.com/acme/web'
const secret = 'the-secret-of-the-repository'
const commit = 'c'.repeat(40)
const longBranch = `feature/${'a_long_name_of_a_branch_'.repeat(6)}end`
const longDirectory = `sites/${'a_long_name_of_a_directory_'.repeat(5)}end`

let node: TestNode
let team: TestTeam
let project: Answer['body']
let visitor: Visitor
let page: Visitor['page']

// Without a worker, so that what asks for a deployment stays pending.
beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
  knowSecret('the secret of a repository', secret)
})

beforeEach(async () => {
  team = await newTeam(node)
  project = (await team.owner('PUT', '/v1/projects/web', {})).body
  visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
  // No forge is reached from here; `import.test.ts` has one.
  const result = { data: { url, provider: 'github', default_branch: 'main' } }
  await page.route('**/trpc/git.inspect', (route) => route.fulfill({ json: { result } }))
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const deliveries = () => page.getByRole('table', { name: 'Deliveries' })
const gitOf = async () => (await team.owner('GET', '/v1/projects/web')).body.git
const copied = () => page.evaluate(() => navigator.clipboard.readText())

async function openSettings(): Promise<void> {
  await visitor.visit(`/${team.slug}/web/settings`)
  await settled(page)
}

async function connect(git: Record<string, unknown> = {}): Promise<void> {
  project = (await team.owner('PUT', '/v1/projects/web', { git: { url, secret, ...git } })).body
}

const ping = (zen = 'Keep it logically awesome.') =>
  send({ node, project, secret }, 'ping', { zen, hook_id: 1 })

it('is connected, shows what to paste at the forge once, and what that sends', async () => {
  await openSettings()
  await page.getByText('No repository').waitFor()
  await button('Connect').click()
  await dialog().getByRole('button', { name: 'Connect' }).click()
  const address = dialog().getByLabel('Address')
  expect(await address.evaluate((field) => field === document.activeElement)).toBe(true)
  await dialog().getByLabel('Address').fill(`${url}.git`)
  await dialog().getByRole('button', { name: 'Connect' }).click()
  await dialog().getByText('At GitHub, in the repository: Settings, Webhooks, Add webhook.').waitFor()

  await dialog().getByRole('button', { name: 'Copy: Payload URL' }).click()
  await expect.poll(copied).toBe(`${node.apiUrl}/hooks/git/${project.id}`)
  await dialog().getByRole('button', { name: 'Copy: Secret' }).click()
  await expect.poll(copied).toMatch(/^whsec_/)
  const made = await copied()
  knowSecret('the secret of a repository', made)
  expect(await axeViolations(page)).toEqual([])
  await button('I have copied it').click()
  await deliveries().getByRole('cell', { name: 'deploy' }).waitFor()
  expect(await page.content()).not.toContain(made)
  expect(await gitOf()).toMatchObject({ url, provider: 'github', secret_set: true, token_set: false })

  expect((await send({ node, project, secret: made }, 'ping', { zen: 'x', hook_id: 1 })).status).toBe(202)
  await deliveries().getByText('The forge reaches this address, and the secret is right.').waitFor()
  expect(visitor.problems()).toEqual([])
})

it('says how many were refused, since when and why, until something right comes', async () => {
  await connect()
  const refused = { node, project, secret: 'the-secret-of-another-hook' }
  for (let sent = 0; sent < 3; sent += 1) await send(refused, 'ping', { zen: 'x', hook_id: 1 })
  await openSettings()
  const list = page.getByRole('list', { name: 'Refused deliveries' })
  await list.getByText('the secret at the forge is another one').waitFor()
  await list.getByText('3 refused').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await ping()
  await expect.poll(() => list.count(), { timeout: 30_000 }).toBe(0)
})

it('at another host needs its kind, which the field says', { tags: 'long' }, async () => {
  await openSettings()
  await button('Connect').click()
  await dialog().getByLabel('Address').fill('https://git.example.com/acme/web')
  await dialog().getByRole('button', { name: 'Connect' }).click()
  const kind = dialog().getByLabel('Kind of forge')
  const alert = dialog().getByRole('alert')
  await alert.getByText('required for git.example.com').waitFor()
  expect(await alert.count()).toBe(1)
  expect(await kind.getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'))
  expect(await axeViolations(page)).toEqual([])
  await kind.selectOption('Gitea or Forgejo')
  await dialog().getByRole('button', { name: 'Connect' }).click()
  await dialog().getByRole('heading', { name: 'Target URL' }).waitFor()
  expect(await gitOf()).toMatchObject({ provider: 'gitea' })
})

it('says beside the field what is wrong with an address or a directory', async () => {
  await openSettings()
  await button('Connect').click()
  await dialog().getByLabel('Address').fill('git@github.com:acme/web.git')
  await dialog().getByLabel('Directory').fill('../web')
  await dialog().getByRole('button', { name: 'Connect' }).click()
  await dialog().getByRole('alert').first().waitFor()
  expect(await dialog().locator('[aria-invalid]').count()).toBe(await dialog().getByRole('alert').count())
  expect((await gitOf()).url).toBe(null)
})

it('is connected again from what is known, with the same secret or a new one', { tags: 'long' }, async () => {
  const watch = ['packages/ui', 'lock.json']
  await connect({
    root_directory: 'apps/web',
    watch,
    skip_unchanged: false,
    token: 'token-of-the-repository',
  })
  await openSettings()
  await button('Connect again').click()
  expect(await dialog().getByLabel('Address').inputValue()).toBe(url)
  expect(await dialog().getByLabel('Kind of forge').inputValue()).toBe('github')
  expect(await dialog().getByLabel('Token').inputValue()).toBe('')
  expect(await dialog().getByLabel('Directory').inputValue()).toBe('apps/web')
  expect(await dialog().getByLabel('Pass over pushes').isChecked()).toBe(false)
  const watched = dialog().getByLabel('Also watch')
  expect(await watched.inputValue()).toBe('packages/ui\nlock.json')
  await watched.fill('packages/ui\n\n../api\n')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByRole('alert').getByText('"../api" must not contain a .. segment').waitFor()
  expect(await watched.getAttribute('aria-invalid')).toBe('true')
  await watched.fill('packages/ui\n\n packages/api\n')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog().count()).toBe(0)
  expect((await ping()).status).toBe(202)
  await button('Connect again').click()
  await dialog().getByLabel('Make a new secret').check()
  await dialog().getByText('The secret is replaced').waitFor()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await button('I have copied it').click()
  const saved = { root_directory: 'apps/web', watch: ['packages/ui', 'packages/api'] }
  expect(await gitOf()).toMatchObject({ url, ...saved, token_set: true })
  expect((await ping()).status).toBe(403)
})

it('at another address has the kind of that one', { tags: 'long' }, async () => {
  await connect()
  await openSettings()
  await button('Connect again').click()
  await dialog().getByLabel('Address').fill('https://gitlab.com/acme/web')
  expect(await dialog().getByLabel('Kind of forge').inputValue()).toBe('')
  await dialog().getByRole('button', { name: 'Connect' }).click()
  await dialog().getByText('At GitLab, in the project').waitFor()
  expect(await gitOf()).toMatchObject({ provider: 'gitlab' })
})

it('shows by itself what the forge sends later', async () => {
  await connect()
  await page.clock.install()
  await openSettings()
  await page.getByText('Nothing was sent yet').waitFor()
  await ping()
  await page.clock.fastForward(10_000)
  await deliveries().getByRole('row').nth(1).waitFor()
  await ping('Half measures are as bad as nothing at all.')
  await page.clock.fastForward(10_000)
  await deliveries().getByRole('row').nth(2).waitFor()
})

it('registers the webhook with a token that may, and says what is missing', { tags: 'long' }, async () => {
  await connect()
  await openSettings()
  await button('Copy the address of the hook').waitFor()
  expect(await button('Register it at the forge').count()).toBe(0)
  // A name that leads nowhere.
  const git = { url: 'https://forge.invalid/acme/web', provider: 'gitea', token: 'token-of-the-repository' }
  await team.owner('PUT', '/v1/projects/web', { git })
  await openSettings()
  await button('Register it at the forge').click()
  await page.getByText('The webhook is not registered.').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

it('is disconnected after a question, with the keyboard alone', async () => {
  await openSettings()
  await button('Connect').focus()
  await page.keyboard.press('Enter')
  await dialog().waitFor()
  await page.keyboard.type(url)
  await page.keyboard.press('Enter')
  await dialog().getByRole('heading', { name: 'Secret' }).waitFor()
  await tabTo('Copy: Secret')
  await page.keyboard.press('Enter')
  await expect.poll(copied).toMatch(/^whsec_/)
  knowSecret('the secret of a repository', await copied())
  await tabTo('I have copied it')
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Connect again')

  await tabTo('Disconnect')
  await page.keyboard.press('Enter')
  await dialog().getByText('Disconnect the repository?').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Disconnect')
  expect((await gitOf()).url).toBe(url)
  await page.keyboard.press('Enter')
  await dialog().getByText('Disconnect the repository?').waitFor()
  await tabTo('Disconnect')
  await page.keyboard.press('Enter')
  await page.getByText('No repository').waitFor()
  expect(await gitOf()).toMatchObject({ url: null, secret_set: false })
})

const focused = () =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
  })

/** Presses Tab until something of this name has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let at = 0; at < 20; at += 1) {
    await page.keyboard.press('Tab')
    if ((await focused()) === name) return
  }
  throw new Error(`Tab does not lead to ${name}.`)
}

it('has commits of forks approved, once an owner says that they are taken', { tags: 'long' }, async () => {
  await connect()
  await openSettings()
  const setting = page.getByLabel('Deploy pull requests of forks')
  expect(await setting.isChecked()).toBe(false)
  await setting.check()
  await expect.poll(async () => (await gitOf()).forks).toBe('approve')

  const payload = pullRequestOf({ url }, { commit, fork: true, branch: 'main', number: 7 })
  await send({ node, project, secret }, 'pull_request', payload)
  await deliveries().getByText('It waits for the approval of an owner.').waitFor({ timeout: 30_000 })
  const link = deliveries().getByRole('link', { name: 'Pull request 7' })
  expect(await link.getAttribute('href')).toBe(`${url}/pull/7`)
  await button('Approve pull request 7').click()
  await dialog().getByText(commit).waitFor()
  await dialog().getByText('Somebody outside the team wrote it').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Approve' }).click()
  await dialog().waitFor({ state: 'detached' })
  await deliveries().getByText('pending', { exact: true }).waitFor()
  expect(await button('Approve pull request 7').count()).toBe(0)

  await setting.uncheck()
  await deliveries().getByText('Refused').waitFor({ timeout: 30_000 })
  expect((await gitOf()).forks).toBe(false)
  await expectAccessible()
  expect(await overflow(page)).toBe(0)
  expect(visitor.problems()).toEqual([])
})

it('is not there for a member who is no owner', async () => {
  await connect()
  const { userId } = await addMember(node, team)
  const member = await newVisitor(node, { session: await newSession(node, userId) })
  await member.visit(`/${team.slug}/web/settings`)
  await settled(member.page)
  await member.page.getByRole('heading', { name: 'Environment variables' }).waitFor()
  expect(await member.page.getByRole('heading', { name: 'Git repository' }).count()).toBe(0)
})

describe('with long names of branches and outcomes', () => {
  beforeEach(async () => {
    await connect({ root_directory: longDirectory })
    const forge = { url }
    const sent = { node, project, secret }
    await ping()
    for (const branch of [longBranch, 'main']) await send(sent, 'push', pushOf(forge, { branch, commit }))
    const changed = [`${longDirectory}/index.html`]
    const { body } = await send(sent, 'push', pushOf(forge, { branch: longBranch, commit, changed }))
    const outcome = `The repository does not let the token read it: ${'a_long_word_'.repeat(15)}`
    await node.installation.store.db
      .update(forgeDeliveries)
      .set({ status: 'failed', outcome, endedMs: Date.now() })
      .where(eq(forgeDeliveries.id, body.delivery))
  })

  it('nothing is cut or scrolls sideways on a phone', () => openAt(390))

  it.each([1280, 660, 390])('nor in a dialog at %i pixels', { tags: 'long' }, async (width) => {
    await openAt(width)
    await button('Connect again').click()
    await dialog().waitFor()
    expect(await cut(dialog())).toBe(0)
    await expectAccessible()
    await dialog().getByLabel('Make a new secret').check()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await button('I have copied it').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await cut(dialog())).toBe(0)
    await expectAccessible()
    expect(visitor.problems()).toEqual([])
  })

  async function openAt(width: number): Promise<void> {
    await page.setViewportSize({ width, height: 844 })
    await openSettings()
    await deliveries().getByText('failed', { exact: true }).waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await cut(deliveries())).toBe(0)
    await expectAccessible()
  }
})

async function expectAccessible(): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page), colorScheme).toEqual([])
  }
}

/** By how many pixels the content of an element, or of the frame around it, is wider than there is room. */
const cut = (element: ReturnType<Visitor['page']['locator']>) =>
  element.evaluate(({ parentElement, scrollWidth, clientWidth }) =>
    Math.max(
      scrollWidth - clientWidth,
      (parentElement?.scrollWidth ?? 0) - (parentElement?.clientWidth ?? 0),
    ),
  )
