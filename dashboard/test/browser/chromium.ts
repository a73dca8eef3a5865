/** Chromium for tests, signed in at a node, which reports everything that a page must not do. */
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { TestNode } from '../../../test/support/node.ts'
import type { TestSession } from '../../../test/support/session.ts'
import { chromiumPath } from './find-chromium.ts'

let launched: Promise<Browser> | undefined

/** For `afterAll` of each file. */
export async function closeChromium(): Promise<void> {
  await (await launched)?.close()
  launched = undefined
}

function launch(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  return launched
}

export type Visitor = {
  context: BrowserContext
  page: Page
  /** Goes to a path of the node. */
  visit(path: string): Promise<void>
  /**
   * Requests to others, violations of the policy, errors of scripts, and failed requests, since the last
   * call.
   */
  problems(): string[]
}

type Options = { session?: TestSession | undefined }

/** A browser of its own for one person; closed when the test ends. */
export async function newVisitor(node: TestNode, { session }: Options = {}): Promise<Visitor> {
  const browser = await launch()
  const context = await browser.newContext({
    baseURL: node.apiUrl,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  onTestFinished(async () => {
    // Chromium never closes a page in the middle of a navigation (microsoft/playwright#42068).
    for (const page of context.pages()) await page.waitForLoadState().catch(() => {})
    await context.close()
  })
  if (session) {
    const [name = '', value = ''] = session.cookie.split('=')
    await context.addCookies([{ name, value, url: node.apiUrl, httpOnly: true, sameSite: 'Lax' }])
  }
  // Below that of a test, so that what is missing is named.
  context.setDefaultTimeout(12_000)
  const page = await context.newPage()
  const found: string[] = []
  page.on('pageerror', (error) => found.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== node.apiUrl && protocol !== 'data:') found.push(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) found.push(`${response.status()} of ${response.url()}`)
  })
  return {
    context,
    page,
    async visit(path) {
      await page.goto(path)
    },
    problems: () => found.splice(0),
  }
}

/** The violations that axe finds on the page, each with the first element that has it. */
export async function axeViolations(page: Page): Promise<string[]> {
  // A rule of WCAG 2.2, which axe leaves out by default.
  const rules = { 'target-size': { enabled: true } }
  const { violations } = await new AxeBuilder({ page }).options({ rules }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

/** By how many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

/**
 * How far the parts of the page have moved by themselves since it was loaded: a sum of shares of the window.
 */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => ('value' in entry ? Number(entry.value) : 0))
          resolve(shifts.reduce((sum, shift) => sum + shift, 0))
        }).observe({ type: 'layout-shift', buffered: true })
        // Without any shift nothing is reported.
        setTimeout(() => resolve(0), 200)
      }),
  )
}

/** Waits until the page is there: its heading, and no skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
}
