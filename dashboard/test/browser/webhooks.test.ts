/**
 * A webhook from its secret to its deliveries.
 *
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { type Receiver, startReceiver } from '../../../test/platform/webhooks/receiver.ts'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { type SmtpServer, startSmtpServer } from '../../../test/support/smtp-server.ts'
import { addMember, newTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled } from './chromium.ts'

let receiver: Receiver
let smtp: SmtpServer
let node: TestNode

beforeAll(async () => {
  receiver = await startReceiver()
  smtp = await startSmtpServer()
  node = await startOwnNode({
    SVC_ROLES: 'api,edge,worker',
    SVC_DASHBOARD: 'on',
    SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
    ...smtp.settings,
  })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
  await receiver.close()
  await smtp.close()
})

it('is made, shows its secret once, and its deliveries, one of which is sent again', async () => {
  const team = await newTeam(node)
  const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await visit(`/${team.slug}/~/webhooks`)
  await settled(page)
  await button('New webhook').first().click()
  await page.getByLabel('Address').fill(receiver.url)
  await button('Create').click()
  const secret = await page.getByRole('dialog').locator('code').first().textContent()
  expect(secret).toMatch(/^whsec_/)
  await button('I have copied it').click()
  await page.getByRole('link', { name: receiver.url }).click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByText('webhook.ping').waitFor()
  expect(await page.content()).not.toContain(secret)
  receiver.answer = 503
  await button('Send a test').click()
  await deliveries.getByText('503').first().waitFor()
  receiver.answer = 200
  await deliveries.getByText('delivered').first().waitFor()
  const before = receiver.received.length
  await deliveries.getByRole('button', { name: 'Redeliver' }).first().click()
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(before)
  await deliveries.getByRole('button', { name: 'webhook.ping' }).last().click()
  await page.getByRole('dialog').getByText('webhook-id').first().waitFor()
})

it('says which field is missing, with the focus on it', async () => {
  const team = await newTeam(node)
  const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await visit(`/${team.slug}/~/webhooks`)
  await settled(page)
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  const dialog = page.getByRole('dialog')
  const missing = () =>
    page.evaluate(() => {
      const { activeElement: element } = document
      if (!(element instanceof HTMLInputElement)) return undefined
      return [element.labels?.[0]?.textContent, element.validationMessage]
    })
  await dialog.getByRole('button', { name: 'Create' }).click()
  expect(await missing()).toEqual(['Address', expect.any(String)])
  await dialog.getByLabel('Address').fill(receiver.url)
  const boxes = dialog.getByRole('group', { name: 'Types of events' }).getByRole('checkbox')
  for (const box of await boxes.all()) await box.uncheck()
  await dialog.getByRole('button', { name: 'Create' }).click()
  const [first, message] = (await missing()) ?? []
  expect([first, message]).toEqual([expect.stringMatching(/^All of /), 'Choose at least one type of events.'])
  await boxes.nth(1).check()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Copy the secret now').waitFor()
  knowSecret('the secret of a webhook', await dialog.locator('code').first().innerText())
})

it('for Slack takes an address that nobody reads again, and shows where it leads', async () => {
  receiver.answer = 200
  const team = await newTeam(node)
  const { page, visit, problems } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await visit(`/${team.slug}/~/webhooks`)
  await settled(page)
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  const dialog = page.getByRole('dialog')
  for (const format of ['discord', 'mail', 'slack']) {
    await dialog.getByLabel('Format').selectOption(format)
    expect(await dialog.getByLabel(/^Address/).count()).toBe(format === 'mail' ? 0 : 1)
    expect(await axeViolations(page), format).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await overflow(page)).toBe(0)
  expect(await dialog.getByLabel('deployment.error').isChecked()).toBe(true)
  expect(await dialog.getByLabel('key.created').isChecked()).toBe(false)
  await dialog.getByLabel('Address of the incoming webhook').fill(`${receiver.url}/T0/secret`)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  const name = `Slack, 127.0.0.1:${receiver.port}`
  await page.getByRole('link', { name }).click()
  await page.getByRole('table', { name: 'Deliveries' }).getByText('delivered').first().waitFor()
  expect(receiver.received.at(-1)?.path).toBe('/hook/T0/secret')
  expect(await page.content()).not.toContain('T0/secret')
  expect(await axeViolations(page)).toEqual([])
  expect(problems()).toEqual([])
})

it('for mails is offered to each member, who chooses for themselves', async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await visit(`/${team.slug}/~/webhooks`)
  await settled(page)
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Format').selectOption('mail')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'Mail', exact: true }).waitFor()

  const { userId } = await addMember(node, team)
  const email = `${team.slug}@example.com`
  await node.installation.store.db
    .update(users)
    .set({ email, emailVerified: true })
    .where(eq(users.id, userId))
  const member = await newVisitor(node, { session: await newSession(node, userId) })
  await member.visit(`/${team.slug}/~/webhooks`)
  await settled(member.page)
  const choice = member.page.getByLabel('Mail me about all projects')
  await choice.click()
  await member.page.locator('input:checked').waitFor()
  expect(await axeViolations(member.page)).toEqual([])
  expect(await choice.isChecked()).toBe(true)

  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => smtp.mails.flatMap(({ to }) => to), { timeout: 20_000 }).toEqual([email])
  await page.getByText('to 1 member').waitFor()
  expect(await page.getByLabel('Mail me about all projects').isChecked()).toBe(false)
  expect(await page.content()).not.toContain(email)
})
