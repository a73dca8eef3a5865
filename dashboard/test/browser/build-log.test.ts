/** The log of a build by keyboard, and what is chosen where colours are forced. */
import { eq } from 'drizzle-orm'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { deploy } from '../../../test/platform/deployments/steps.ts'
import { writeLines } from '../../../test/platform/observability/logs/lines.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, settled } from './chromium.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

async function open() {
  const team = await newTeam(node)
  const { id, build } = await deploy(team)
  // As if it had been built.
  await node.installation.store.db
    .update(deployments)
    .set({ build: { ...build, build_command: 'make' } })
    .where(eq(deployments.id, id))
  const lines = Array.from({ length: 200 }, (_, at) => ({ message: `line ${at + 1}`, deploymentId: id }))
  await writeLines(node, team, lines)
  const { page, visit } = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  await visit(`/${team.slug}/web/deployments/${id}`)
  await settled(page)
  return page
}

it('has one stop of Tab for its numbers, between which the arrows lead', async () => {
  const page = await open()
  const log = page.getByRole('log', { name: 'Build log' })
  await log.getByRole('link', { name: 'Line 200', exact: true }).waitFor()
  expect(await log.locator('a[tabindex="0"]').count()).toBe(1)
  await log.focus()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toMatch(/^Line \d+$/)
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('Line 1')
  for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('Line 3')
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('Line 200')
  await page.keyboard.press('ArrowUp')
  await expect.poll(focused).toBe('Line 199')
  await page.keyboard.press('Tab')
  expect((await focused()) ?? '').not.toMatch(/^Line/)
  expect(await axeViolations(page)).toEqual([])
})

it('marks the present tab where colours are forced', async () => {
  const page = await open()
  await page.emulateMedia({ forcedColors: 'active' })
  const borderOf = (which: string) =>
    page
      .getByRole('navigation', { name: 'Project' })
      .locator(`a${which}`)
      .first()
      .evaluate((link) => getComputedStyle(link).borderBottomColor)
  expect(await borderOf('[aria-current]')).not.toBe(await borderOf(':not([aria-current])'))
})

it('marks what is pressed, and what Enter would choose, where colours are forced', async () => {
  const page = await open()
  await page.emulateMedia({ forcedColors: 'active' })
  // A ground that is forced is white, whether it is opaque or not.
  const expectMarked = (place: Locator) =>
    expect
      .poll(() => place.evaluate((element) => getComputedStyle(element).backgroundColor))
      .not.toMatch(/^rgba?\(255, 255, 255\b/)
  await page.getByRole('link', { name: 'Metrics' }).first().click()
  await expectMarked(page.getByRole('button', { name: '24 hours', pressed: true }))
  await page.keyboard.press('Control+k')
  await expectMarked(page.getByRole('option', { selected: true }))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Account and theme' }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('ArrowDown')
  await expectMarked(page.locator('[role^="menuitem"][data-highlighted]'))
})
