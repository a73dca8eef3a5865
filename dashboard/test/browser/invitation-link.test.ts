/** The link of an invitation: from the owner's dialog to a first deployment of who joined by it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import { startTestNode, type TestNode, unique } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

const secret = 'a password of nobody else'
const maxMs = 120_000

let node: TestNode
let team: TestTeam
let owner: Visitor

beforeAll(async () => {
  knowSecret('a password', secret)
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const membersPath = () => `/${team.slug}/~/settings/members`

async function openMembers(): Promise<void> {
  team = await newTeam(node)
  owner = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await owner.visit(membersPath())
  await settled(owner.page)
}

/** Invites the address in the dialog, and copies the link that follows. */
async function inviteInDialog(email: string): Promise<string> {
  const { page } = owner
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await page.getByText('Copied').waitFor({ state: 'attached' })
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Presses Tab until the focus is on an element with this name. */
async function tabTo({ page }: Visitor, name: string): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
    })
    if (label === name) return
  }
  throw new Error(`Tab doesn't lead to ${name}.`)
}

it('a person with nothing else has a site within two minutes, on a phone and by keyboard alone', async () => {
  await openMembers()
  const link = await inviteInDialog(`${unique('grace')}@example.com`)
  expect(await axeViolations(owner.page)).toEqual([])
  await owner.page.getByRole('button', { name: 'Done' }).click()
  await owner.page.getByText('Invited').waitFor()

  const visitor = await newVisitor(node)
  const { page } = visitor
  await page.setViewportSize({ width: 390, height: 800 })
  const begunMs = Date.now()
  await page.goto(link)
  expect(await axeViolations(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  await page.keyboard.type('Grace Hopper')
  for (let at = 0; at < 2; at += 1) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(secret)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/${team.slug}`)
  await settled(page)
  await tabTo(visitor, 'Choose a zip')
  const buffer = zipOf([{ path: 'index.html', content: '<h1>Mine</h1>' }])
  const chooser = page.waitForEvent('filechooser')
  // Wherever what has just loaded has moved the focus.
  await page.getByRole('button', { name: 'Choose a zip' }).press('Enter')
  await (await chooser).setFiles({ name: 'mine.zip', mimeType: 'application/zip', buffer })
  // The key is the dialog's only once the focus is in it.
  await page.locator('[role=dialog]:has(button[type=submit]:enabled) :focus').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Deployed' }).waitFor()
  expect(Date.now() - begunMs).toBeLessThan(maxMs)
  expect((await team.owner('GET', '/v1/deployments')).body.data).toMatchObject([
    { state: 'ready', created_by_name: 'Grace Hopper' },
  ])
  expect(visitor.problems()).toEqual([])

  await page.goto('/account')
  await page
    .getByText('You can use everything. Confirm your address so that nobody else can take it.')
    .waitFor()
  expect(await axeViolations(page)).toEqual([])
  await owner.visit(membersPath())
  await owner.page.getByText('Address not confirmed').waitFor()
}, 180_000)

it('an owner replaces the link of an invitation, and revokes it', async () => {
  await openMembers()
  const email = `${unique('grace')}@example.com`
  const first = await inviteInDialog(email)
  const { page } = owner
  await page.getByRole('button', { name: 'Done' }).click()
  const openLink = async () => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click()
    await page.getByRole('menuitem', { name: 'Link to join' }).click()
  }
  await openLink()
  await page.getByRole('button', { name: 'Make another' }).click()
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await page.getByText('Copied').waitFor({ state: 'attached' })
  const second = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Done' }).click()
  const statusOf = async (url: string) => (await fetch(url)).status
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  await openLink()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByText('There is none that can be used.').waitFor()
  expect(await statusOf(second)).toBe(404)
  expect(owner.problems()).toEqual([])
})
