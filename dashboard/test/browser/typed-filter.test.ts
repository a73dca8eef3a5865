/** Filters that are typed: nothing that is typed gets lost, and what is cleared elsewhere stays cleared. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, settled } from './chromium.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

async function openLogs() {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { page, context, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await visit(`/${team.slug}/web/logs`)
  await settled(page)
  return { page, context }
}

// Each about as long as typing has to pause before it is applied.
it.each([210, 230, 320])('keeps each letter on a slow machine with %s ms between them', async (delay) => {
  const { page, context } = await openLogs()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const host = page.getByLabel(/^Host,/)
  await host.pressSequentially('abcdefghij', { delay })
  await expect.poll(() => new URL(page.url()).searchParams.get('host')).toBe('abcdefghij')
  expect(await host.inputValue()).toBe('abcdefghij')
})

it('is empty once a link leads to the page without filters', async () => {
  const { page } = await openLogs()
  const search = page.getByLabel('Search messages')
  await search.fill('error')
  await page.waitForURL(/\?q=error$/)
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Logs' }).click()
  await expect.poll(() => search.inputValue()).toBe('')
  // Longer than typing has to pause.
  await page.waitForTimeout(500)
  expect(new URL(page.url()).search).toBe('')
})
