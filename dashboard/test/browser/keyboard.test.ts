/** The dashboard without a mouse. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, settled, type Visitor } from './chromium.ts'

let node: TestNode
let team: TestTeam
let page: Visitor['page']

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

beforeEach(async () => {
  team = await newTeam(node)
  for (const name of ['alpha', 'beta']) await team.owner('PUT', `/v1/projects/${name}`, {})
  const visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
  await visitor.visit(`/${team.slug}`)
  await settled(page)
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

it('Ctrl K finds a project and its pages', async () => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('bet')
  await page.getByRole('option', { name: /^beta/ }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.type('metrics')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/${team.slug}/beta/metrics`)
})

it('Ctrl K takes each letter, also those that come before the palette does', async () => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('beta')
  await page.getByRole('option', { name: /^beta/ }).waitFor()
  expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('beta')
})

it('Ctrl K finds deployments by their message, and the documentation', async () => {
  const files = [{ path: 'index.html', content: 'x' }]
  const meta = { message: 'Fix the seventh link' }
  await team.owner('POST', '/v1/deployments', { project: 'alpha', files, meta })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('seventh')
  await page.getByRole('option', { name: /^Fix the seventh link/ }).waitFor()
  await page.getByRole('option', { name: 'Search the documentation for “seventh”' }).waitFor()
  await page.getByRole('option', { name: /^Fix the seventh link/ }).click()
  await page.waitForURL(`**/${team.slug}/alpha/deployments/dpl_*`)
})

it('Backspace leaves the project of the palette, Escape the palette', async () => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('alpha')
  await page.getByRole('option', { name: /^alpha/ }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByPlaceholder('Pages of this project').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByPlaceholder('Projects, domains').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

it('/ focuses the search of the page, ? lists the shortcuts', async () => {
  await page.keyboard.press('/')
  expect(await focused()).toBe('Search projects')
  await page.keyboard.type('alph')
  await expect.poll(() => page.getByRole('link', { name: 'beta', exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.locator('body').click({ position: { x: 5, y: 400 } })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: /shortcuts/i }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

it('every action of a page is reached by Tab', async () => {
  const seen = new Set<string>()
  for (let at = 0; at < 40; at += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    seen.add(name.trim())
  }
  for (const name of ['Skip to content', 'Switch team', 'Domains', 'Deploy', 'alpha', 'beta', 'API']) {
    expect([...seen]).toContain(name)
  }
})
