/** A webhook from its secret to its deliveries. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../../test/platform/webhooks/receiver.ts'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, settled } from './chromium.ts'

let receiver: Receiver
let node: TestNode

beforeAll(async () => {
  receiver = await startReceiver()
  node = await startOwnNode({
    SVC_ROLES: 'api,edge,worker',
    SVC_DASHBOARD: 'on',
    SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
  await receiver.close()
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
