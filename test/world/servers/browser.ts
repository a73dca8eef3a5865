/** A browser, which reports everything that a page must not do. */
import { type Browser, chromium, type Page } from '../../../dashboard/node_modules/playwright-core/index.js'
import { chromiumPath } from '../../../dashboard/test/browser/find-chromium.ts'

export type Visit = {
  page: Page
  /** Errors of scripts and of the console, and requests that failed. */
  problems: string[]
}

/** Starts Chromium, which must be installed. */
export function startBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath: chromiumPath() ?? '', args })
}

/** Opens the address in a window of so many pixels. */
export async function visitPage(browser: Browser, url: string, width: number): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(`error: ${message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} of ${response.url()}`)
  })
  await page.goto(url)
  return { page, problems }
}
