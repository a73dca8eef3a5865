/**
 * The dashboard in Chromium, on a team with 10,000 projects, 100,000 deployments and as many lines of logs.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { amount } from './amount.mjs'
import { stop } from './children.mjs'
import { median } from './rounds.mjs'
import { fill } from './rows/fill.mjs'
import { startSvc } from './svc.mjs'

/** Half of them are the large team's. */
const rows = amount(200_000, 2_000)
const loads = amount(7, 1)
const warmUps = amount(2, 0)
const restMs = amount(1_000, 200)

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']

const bars = { lcpMs: 1_200, inpMs: 100, shift: 0.02, scriptKb: 180, serverMs: 250 }

const pages = {
  'the overview': { path: () => '', interact: searchProjects },
  'a project': { path: () => '/web', interact: openMenu },
  'its deployments': { path: () => '/web/deployments', interact: scrollAndFilter },
  'its logs': { path: () => '/web/logs', interact: openMenu },
  'its metrics': { path: () => '/web/metrics', interact: openMenu },
}

/** Measures each page's loads, as after a reload, and what a person does there. */
export async function benchDashboard({ directory, openDatabase }) {
  const { chromium } = requireBrowser()
  const database = await openDatabase()
  const own = join(directory, 'dashboard')
  const settings = {
    SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SVC_ROLES: 'api,edge',
    SVC_RATE_SESSION: '100000/100000',
  }
  const first = await startSvc(own, database.url, settings)
  await fill(first, database.url, rows)
  await stop(first.child)
  const svc = await startSvc(own, database.url, settings, {
    firstAuthorization: first.authorization,
  })
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? browsers.find((path) => existsSync(path)),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const link = new URL(first.link)
    const base = `http://localhost:${svc.apiPort}`
    const state = await signIn(browser, base, `${link.pathname}${link.search}`)
    const durations = []
    for (const [what, page] of Object.entries(pages)) {
      durations.push(...rowsOf(what, await measurePage(browser, { base, state, ...page })))
    }
    return {
      title: 'the dashboard, milliseconds unless a unit is named',
      notes: [
        'Medians of loads with an empty cache; ' +
          'of interactions the slowest, and of requests the slowest of all loads.',
      ],
      durations,
    }
  } finally {
    await browser.close()
    await stop(svc.child)
  }
}

function requireBrowser() {
  const require = createRequire(new URL('../dashboard/package.json', import.meta.url))
  if (!existsSync(new URL('../dist/dashboard/manifest.json', import.meta.url))) {
    throw new Error('The dashboard is not built: npm run dashboard')
  }
  return require('playwright-core')
}

async function signIn(browser, base, path) {
  const context = await browser.newContext({ baseURL: base })
  const page = await context.newPage()
  await page.goto(path)
  await page.getByLabel('Email').fill('bench@example.com')
  for (const name of ['password', 'again'])
    await page.locator(`input[name=${name}]`).fill('a password of the bench')
  await page.getByRole('button').click()
  await page.waitForURL('**/personal')
  const state = await context.storageState()
  await context.close()
  return state
}

async function measurePage(browser, { base, state, path, interact }) {
  const measured = []
  for (let load = 0; load < warmUps + loads; load += 1) {
    const context = await browser.newContext({
      baseURL: base,
      storageState: state,
      viewport: { width: 1440, height: 900 },
    })
    const page = await context.newPage()
    await page.addInitScript(observe)
    await page.goto(`/personal${path()}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    await wait(restMs)
    const loaded = await page.evaluate(() => window.benchLoad())
    await interact(page)
    await wait(restMs)
    const inpMs = await page.evaluate(() => window.benchSlowest)
    if (load >= warmUps) measured.push({ ...loaded, inpMs })
    await context.close()
  }
  return measured
}

/**
 * Runs in the page. @see https://www.w3.org/TR/largest-contentful-paint/ and event-timing, layout-instability
 */
function observe() {
  let lcpMs = 0
  let shift = 0
  window.benchSlowest = 0
  const watch = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...options,
    })
  watch('largest-contentful-paint', ({ startTime }) => {
    lcpMs = startTime
  })
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) shift += value
  })
  watch(
    'event',
    ({ interactionId, duration }) => {
      if (interactionId) window.benchSlowest = Math.max(window.benchSlowest, duration)
    },
    { durationThreshold: 16 },
  )
  window.benchLoad = () => {
    const resources = performance.getEntriesByType('resource')
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    const calls = resources.filter(({ name }) => name.includes('/trpc/') && !name.includes('events.follow'))
    return {
      lcpMs,
      shift,
      scriptKb: scripts.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0) / 1_000,
      serverMs: Math.max(0, ...calls.map(({ requestStart, responseEnd }) => responseEnd - requestStart)),
    }
  }
}

async function searchProjects(page) {
  await page.getByLabel('Search projects').pressSequentially('site-12')
  await openMenu(page)
}

async function openMenu(page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('web')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Account and theme' }).click()
}

async function scrollAndFilter(page) {
  for (let turn = 0; turn < amount(40, 3); turn += 1) await page.mouse.wheel(0, 3_000)
  await page.getByLabel('Branch').pressSequentially('main')
  await openMenu(page)
}

/** @param {{ lcpMs: number, inpMs: number, shift: number, scriptKb: number, serverMs: number }[]} measured */
function rowsOf(what, measured) {
  const of = (name) => measured.map((each) => each[name])
  const worst = (name) => Math.max(...of(name))
  return [
    { what: `${what}: largest contentful paint`, ms: median(of('lcpMs')), bar: bars.lcpMs },
    { what: `${what}: slowest interaction`, ms: median(of('inpMs')), bar: bars.inpMs },
    { what: `${what}: layout shift (no unit)`, ms: worst('shift'), bar: bars.shift },
    { what: `${what}: scripts, kB`, ms: median(of('scriptKb')), bar: bars.scriptKb },
    { what: `${what}: slowest request`, ms: worst('serverMs'), bar: bars.serverMs },
  ]
}
