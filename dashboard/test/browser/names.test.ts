/**
 * People by their names: who deployed, who did what, whose a key is. On a phone they fit, too.
 *
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

let node: TestNode
let team: TestTeam
let page: Visitor['page']
let visit: Visitor['visit']

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

beforeEach(async () => {
  team = await newTeam(node)
  await callOwner('Ada Lovelace')
  await team.owner('PUT', '/v1/projects/web', {})
  const visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
  visit = visitor.visit
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const callOwner = (name: string) =>
  node.installation.store.db.update(users).set({ name }).where(eq(users.id, team.ownerId))

type Deploying = { target?: string; meta?: Record<string, string>; agent?: string }

async function deploy({ target = 'production', meta = {}, agent = 'curl/8' }: Deploying = {}) {
  const files = [{ path: 'index.html', content: `${Math.random()}` }]
  const headers = { 'user-agent': agent }
  const { body } = await team.owner(
    'POST',
    '/v1/deployments',
    { project: 'web', target, files, meta },
    headers,
  )
  return body
}

const newest = () => page.getByRole('list', { name: 'Newest deployments' }).getByRole('listitem')

describe('a deployment says who made it, and when', () => {
  it('in lists', async () => {
    await deploy({ meta: { message: 'Fix the header', branch: 'main' } })
    await visit(`/${team.slug}/web`)
    await newest().getByText('main · Ada Lovelace').waitFor()
    await newest().getByText('just now').waitFor()
    await visit(`/${team.slug}/web/deployments`)
    await page.getByText('main · Ada Lovelace').waitFor()
  })

  it('and from where, on its page and as production of its project', async () => {
    const { id } = await deploy({ agent: 'svc/0.1.0' })
    await visit(`/${team.slug}/web/deployments/${id}`)
    await page.getByText('just now by Ada Lovelace', { exact: true }).waitFor()
    await page.getByText('The command, key owner', { exact: true }).waitFor()
    await visit(`/${team.slug}/web`)
    await page.getByText('just now by Ada Lovelace', { exact: true }).waitFor()
  })

  it('without widening the page of a phone, however long the name is', async () => {
    await callOwner('A'.repeat(100))
    const { id } = await deploy({ meta: { message: 'm'.repeat(300), branch: 'b'.repeat(100) } })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['web', 'web/deployments', `web/deployments/${id}`, '~/logs', '~/settings/keys']) {
      await visit(`/${team.slug}/${path}`)
      await settled(page)
      expect(await overflow(page), path).toBe(0)
    }
  })
})

it('a deployment is called what was deployed, and its target is a badge, on a phone as well', async () => {
  await deploy({ meta: { zip: 'site.zip' } })
  await deploy({ meta: { folder: 'dist' } })
  await deploy({ meta: { branch: 'topic', folder: 'dist' } })
  await deploy({ meta: { message: 'Fix the header', branch: 'topic' } })
  await deploy({ meta: { message: '' } })
  await deploy({ target: 'preview' })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await visit(`/${team.slug}/web`)
    await settled(page)
    const time = expect.stringMatching(/^\d{1,2} \w{3,4}, \d\d:\d\d$/)
    const withTime = (what: string) => expect.stringMatching(`^${what}, \\d{1,2} \\w{3,4}, \\d\\d:\\d\\d$`)
    await expect
      .poll(() => newest().getByRole('link').allTextContents())
      .toEqual([time, time, 'Fix the header', ...['topic', 'dist', 'site.zip'].map(withTime)])
    expect(await newest().getByText('Production', { exact: true }).filter({ visible: true }).count()).toBe(5)
  }
  await visit(`/${team.slug}`)
  await page.getByRole('link', { name: 'Deployed · just now' }).waitFor()
})

it('a line of the audit trail begins with who did it, and keeps the id to copy', async () => {
  await visit(`/${team.slug}/~/logs?kind=audit`)
  await page.getByText('Ada Lovelace created project web').click()
  const dialog = page.getByRole('dialog', { name: 'Line' })
  await dialog.getByText('Ada Lovelace', { exact: true }).waitFor()
  expect(await dialog.textContent()).not.toContain(team.ownerId)
  await dialog.getByRole('button', { name: 'Copy the id of actor' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(team.ownerId)
  await dialog.getByRole('button', { name: 'Copy the id of key' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^key_/)
})

it('a key says whose it is, and a member has a name beside the address', async () => {
  await node.installation.store.db
    .update(users)
    .set({ email: `${team.slug}@example.com` })
    .where(eq(users.id, team.ownerId))
  await visit(`/${team.slug}/~/settings/keys`)
  await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
  await visit(`/${team.slug}/~/settings/members`)
  await page.getByRole('cell', { name: `${team.slug}@example.com Ada Lovelace` }).waitFor()
})
