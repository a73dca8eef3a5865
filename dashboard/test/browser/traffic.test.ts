/**
 * Metrics and logs of a site: statuses and their names, filters in the address, the keyboard, a phone.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeLines } from '../../../test/platform/observability/logs/lines.ts'
import {
  type CountedTeam,
  count,
  minuteMs,
  newCountedTeam,
} from '../../../test/platform/observability/metrics/counting.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

let node: TestNode
let team: CountedTeam
let visitor: Visitor
let page: Visitor['page']

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

beforeEach(async () => {
  team = await newCountedTeam(node)
  visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

/** Responses in the last hours: of each five three found, one missing, one moved. */
async function haveTraffic(): Promise<void> {
  const statuses = [200, 200, 200, 404, 301]
  const answers = Array.from({ length: 60 }, (_, at) => ({
    endedMs: Date.now() - (60 - at) * 20 * minuteMs,
    status: statuses[at % 5] ?? 200,
    durationMs: 1 + at,
  }))
  await count(node, team, answers)
}

const addresses = { host: 'web-1', address: '203.0.113.0/24', duration_ms: 1.25 }

const requestLine = (path: string, status: number, level: 'info' | 'warn' | 'error') => ({
  kind: 'request' as const,
  projectId: team.projectId,
  level,
  message: `GET ${path} ${status}`,
  fields: { method: 'GET', path, status, ...addresses },
})

/** Text that is smaller than 12 pixels, with its size. */
const tooSmall = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')].flatMap((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      return own && size < 12 ? [`${element.textContent}: ${size}`] : []
    }),
  )

/** Accessible and readable, as it is and on a dark phone. */
async function expectReadable(): Promise<void> {
  expect(await axeViolations(page), 'in light').toEqual([])
  expect(await tooSmall()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await settled(page)
  expect(await axeViolations(page), 'in dark').toEqual([])
  expect(await overflow(page)).toBe(0)
  expect(visitor.problems()).toEqual([])
}

it('metrics name every line, and count 404s', async () => {
  await haveTraffic()
  await visitor.visit(`/${team.slug}/web/metrics`)
  await settled(page)
  const statuses = page.getByRole('group', { name: 'Lines of Responses by status' })
  await expect
    .poll(() => statuses.getByRole('button').allTextContents())
    .toEqual(['2xx36', '3xx12', '4xx12', '5xx0', '404 alone12'])
  const latencies = page.getByRole('group', { name: 'Lines of Latency' }).getByRole('button')
  expect(await latencies.allTextContents()).toEqual(['50 % within', '95 % within', '99 % within'])
  await page.getByText('12 not found').waitFor()
  // Below each chart stands where this day began.
  const today = await page.evaluate(() =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(Date.now()),
  )
  expect(await page.getByText(today, { exact: true }).count()).toBe(4)
  await expectReadable()
})

it('lines are switched with the keyboard, and steps are read out', async () => {
  await haveTraffic()
  await visitor.visit(`/${team.slug}/web/metrics`)
  await settled(page)
  const card = page.locator('div', { has: page.getByRole('heading', { name: 'Responses by status' }) }).last()
  const found = page.getByRole('button', { name: /^2xx/ })
  expect(await found.getAttribute('aria-pressed')).toBe('true')
  await found.focus()
  await page.keyboard.press('Space')
  expect(await found.getAttribute('aria-pressed')).toBe('false')
  const slider = page.getByRole('slider', { name: 'Responses by status over time' })
  await expect.poll(() => slider.locator('path').count()).toBe(4)
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await slider.getAttribute('aria-valuetext')).toMatch(
    /: 2xx \d+, 3xx \d+, 4xx \d+, 5xx \d+, 404 alone \d+$/,
  )
  await page.getByRole('button', { name: 'Show Responses by status as a table' }).press('Enter')
  const table = page.getByRole('region', { name: 'Responses by status as a table' })
  expect(await table.getByRole('columnheader').allTextContents()).toEqual([
    'From',
    '2xx',
    '3xx',
    '4xx',
    '5xx',
    '404 alone',
  ])
  expect(await card.count()).toBe(1)
})

it('metrics without traffic say so, without empty charts', async () => {
  await visitor.visit(`/${team.slug}/web/metrics`)
  await page.getByText('No traffic in this time').waitFor()
  expect(await page.getByRole('slider').count()).toBe(0)
  await expectReadable()
})

it('a log has requests in columns, and filters by status and host in its address', async () => {
  await haveTraffic()
  await writeLines(node, team, [
    requestLine('/about', 200, 'info'),
    requestLine('/gone', 404, 'warn'),
    requestLine('/broken', 502, 'error'),
    { message: 'built', projectId: team.projectId },
  ])
  await visitor.visit(`/${team.slug}/web/logs`)
  await settled(page)
  const rows = page.getByRole('list', { name: 'Lines' }).getByRole('button')
  const missing = rows.filter({ hasText: '/gone' })
  await missing.waitFor()
  expect((await missing.textContent())?.slice(-60)).toMatch(
    /404 GET web-1 web-1\/gone 1.3 ms 203.0.113.0\/24$/,
  )
  await expect.poll(() => rows.count()).toBe(5)

  await page.getByRole('button', { name: /^4xx/ }).press('Enter')
  await page.waitForURL('**/logs?status=4xx')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByLabel('Status, such as 404').fill('502')
  await page.waitForURL('**/logs?status=502')
  await rows.filter({ hasText: '/broken' }).waitFor()
  expect(await rows.count()).toBe(1)
  await page.getByLabel('Status, such as 404').fill('9')
  await expect.poll(() => page.getByLabel('Status, such as 404').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Status, such as 404').fill('')
  await page.waitForURL('**/logs')
  await page.getByLabel('Host, such as').fill('web-1')
  await page.waitForURL('**/logs?host=web-1')
  await expect.poll(() => rows.count()).toBe(3)
  await rows.filter({ hasText: '/gone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Filter' }).nth(3).click()
  await page.waitForURL('**/logs?host=web-1&status=404')
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await missing.waitFor()
  await page.getByLabel('Kind').selectOption('build')
  await page.waitForURL('**/logs?kind=build')
  await rows.filter({ hasText: 'built' }).waitFor()

  // The second is chosen before the first one is in the address.
  await page.evaluate(() => {
    for (const [label, value] of [
      ['Kind', ''],
      ['Time', '24h'],
    ]) {
      const field = document.querySelector(`select[aria-label="${label}"]`)
      if (!(field instanceof HTMLSelectElement)) throw new Error(`There is no ${label}.`)
      field.value = value ?? ''
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  await page.waitForURL('**/logs?range=24h')
})

it('a log is read on a phone, line by line', async () => {
  await haveTraffic()
  const path = `/a-${'long-'.repeat(40)}path`
  await writeLines(node, team, [
    requestLine(path, 404, 'warn'),
    requestLine('/', 200, 'info'),
    requestLine('/moved', 308, 'info'),
    requestLine('/broken', 500, 'error'),
    { message: 'a line of a build', projectId: team.projectId },
  ])
  await visitor.visit(`/${team.slug}/web/logs`)
  await settled(page)
  await page.getByRole('list', { name: 'Lines' }).getByText(path).waitFor()
  await expectReadable()
  const row = page.getByRole('list', { name: 'Lines' }).getByRole('button').filter({ hasText: path })
  const [status, text] = [row.getByText('404', { exact: true }), row.getByText(path)]
  const [statusBox, textBox] = [await status.boundingBox(), await text.boundingBox()]
  expect(textBox?.y).toBeGreaterThan(statusBox?.y ?? 0)
  expect(textBox?.width).toBeGreaterThan(300)
})
