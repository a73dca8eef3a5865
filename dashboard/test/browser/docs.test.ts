/**
 * The documentation in a browser: search by keyboard, buttons that copy.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { axeViolations, closeChromium, newVisitor, overflow } from './chromium.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

it('searches by keyboard from any page, and goes to what was found', async () => {
  const { page, visit, problems } = await newVisitor(node)
  await visit('/docs/dns')
  await page.keyboard.press('/')
  await page.keyboard.type('bypass secret')
  await page.keyboard.press('Enter')
  await page.getByRole('status').waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('bypass secret')
  const hit = page.locator('.hits a').first()
  await hit.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/[\w/-]+(#.*)?$/)
  expect(problems()).toEqual([])
})

it('copies the code of a block, as it is', async () => {
  const { page, visit, problems } = await newVisitor(node)
  await visit('/docs/deploying')
  const block = page.locator('.code').first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe('svc deploy site --project hello\nsvc deploy site --project hello --prod')
  expect(problems()).toEqual([])
})

it.each(['/docs', '/docs/ci', '/docs/reference', '/docs/search?q=zip'])(
  '%s is accessible in light and dark, and fits a phone',
  async (path) => {
    const { page, visit, problems } = await newVisitor(node)
    await visit(path)
    expect(await axeViolations(page), 'in light').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 320, height: 900 })
    await page.reload()
    expect(await axeViolations(page), 'in dark').toEqual([])
    expect(await overflow(page)).toBe(0)
    expect(problems()).toEqual([])
  },
)
