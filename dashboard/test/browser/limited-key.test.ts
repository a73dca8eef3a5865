/** A key with an end, one project and reading alone, made and listed in a browser. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowSecret } from '../../../test/support/kept-logs.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled } from './chromium.ts'

afterAll(closeChromium)

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api', SVC_DASHBOARD: 'on' })
})

afterAll(() => node.stop())

it('a key with limits is made, listed, and does no more than they say', async () => {
  const team = await newTeam(node)
  for (const project of ['shop', 'docs']) await team.owner('PUT', `/v1/projects/${project}`)
  const session = await newSession(node, team.ownerId)
  const { page, visit, problems } = await newVisitor(node, { session })
  await visit(`/${team.slug}/~/settings/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('reads the shop')
  await dialog.getByLabel('Ends').selectOption('30')
  await dialog.getByRole('checkbox', { name: 'Read only' }).check()
  await dialog.getByRole('checkbox', { name: 'All projects' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'shop' }).check()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  const token = (await page.locator('pre code', { hasText: /^svc_/ }).first().textContent()) ?? ''
  knowSecret('an API key', token)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  const row = page.getByRole('row').filter({ hasText: 'reads the shop' })
  await row.getByText('Read only').waitFor()
  await row.getByText('shop', { exact: true }).waitFor()
  await row.getByText('until').waitFor()
  await settled(page)
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await overflow(page)).toBe(0)
  expect(problems()).toEqual([])

  const ask = (method: string, path: string) =>
    fetch(`${node.apiUrl}/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  const statuses = [
    await ask('GET', '/projects/shop'),
    await ask('GET', '/projects/docs'),
    await ask('DELETE', '/projects/shop'),
  ].map(({ status }) => status)
  expect(statuses).toEqual([200, 404, 403])
})
