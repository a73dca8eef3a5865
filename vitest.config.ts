import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { chromiumPath } from './dashboard/test/browser/find-chromium.ts'
import { hasPebble } from './test/support/has-pebble.ts'
import { isLongFile, longTag, reportLeftOut } from './test/support/long-tests.ts'
import { testFilesByNeed } from './test/support/needs-store.ts'
import { postgresUrl } from './test/support/postgres.ts'
import { hasLastRelease } from './test/support/previous-version.ts'
import { redisUrl } from './test/support/redis.ts'
import { reportSlowest } from './test/support/report-slowest.ts'
import { hasSandbox } from './test/support/sandbox.ts'
import { sharedSettings } from './test/support/shared-settings.ts'
import { isShort } from './test/support/short.ts'
import { workersOn } from './test/support/workers.ts'

const url = await postgresUrl()

if (!url) {
  leaveOut('PostgreSQL does not answer at 127.0.0.1:5432 (or TEST_DATABASE_URL): its suites are left out.')
}
if (!(await redisUrl())) {
  leaveOut('Redis does not answer at 127.0.0.1:6379 (or TEST_REDIS_URL): tests of limits in it are left out.')
}
if (!isShort && !hasPebble) {
  leaveOut('pebble is not installed: tests of certificates from an authority are left out.')
}
const sandboxed = (await hasSandbox()) ? [] : ['test/builds/sandbox/contained/', 'test/builds/contained/']
if (sandboxed.length > 0) {
  leaveOut('bubblewrap (bwrap) does not run here: tests of builds in a sandbox are left out.')
}

/** Need what only the checks install. */
const toolFiles = readdirSync('checks')
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `checks/${name}`)
const tools = !isShort && existsSync('checks/node_modules') ? toolFiles : []
if (!isShort && tools.length === 0) {
  leaveOut(
    'What the checks need is not installed (`npm run check` does that): the tests of checks/ are left out.',
  )
}

/** Of the dashboard as it was built last. */
const browserFiles = readdirSync('dashboard/test/browser')
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `dashboard/test/browser/${name}`)
const canBrowse =
  existsSync('dist/dashboard/manifest.json') &&
  existsSync('dashboard/node_modules/playwright-core') &&
  chromiumPath() !== undefined
const inBrowser = !isShort && canBrowse ? browserFiles : []
if (!isShort && !canBrowse) {
  leaveOut(
    'The dashboard is not built (`npm run dashboard` does that), or Chromium is missing: tests in a browser are left out.',
  )
}

if (!isShort && !hasLastRelease()) {
  leaveOut(
    'The commit of the last release (CHANGELOG.md) is not in this checkout: upgrades from it are left out.',
  )
}
const upgrades = hasLastRelease() ? [] : ['test/e2e/upgrade.test.ts']

function leaveOut(message: string): void {
  if (process.env.CI) throw new Error(message)
  console.warn(message)
}

/** Start the program, or sandboxes. */
const processes = ['test/e2e/', 'test/builds/sandbox/']
const checks = ['test/checks/']
/** Use the embedded database whatever there is. */
const embeddedOnly = ['test/edge/', 'test/cli/', 'test/data-dir/']
/** What is above the database is the same on both: where there is PostgreSQL, that alone does. */
const aboveStores = [
  'auth/jwt/',
  'auth/people/',
  'backup/bucket.test.ts',
  'blobs/direct-uploads.test.ts',
  'blobs/encode-due.test.ts',
  'builds/',
  'certificates/',
  'clients/',
  'domains/check/',
  'fuzz/',
  'internal/',
  'limits/',
  'nameserver/',
  'observability/requests/',
  'rest-client/',
  'server/',
  'trpc/',
  'webhooks/delivery/',
].map((name) => `test/${name}`)

/** Needs programs from elsewhere, and has a configuration of its own. */
const world = ['test/world/']

const { withStore, without } = testFilesByNeed()
const possible = [...withStore, ...without].filter(
  (file) => !isIn(file, [...sandboxed, ...upgrades, ...world]),
)
const longFiles = isShort ? possible.filter(isLongFile) : []
const all = possible.filter((file) => !longFiles.includes(file))
const own = all.filter((file) => !isIn(file, [...processes, ...checks]))
const stored = own.filter((file) => withStore.includes(file))

const onPglite = stored.filter(
  (file) => !url || isIn(file, embeddedOnly) || (!isShort && !isIn(file, aboveStores)),
)

const alsoLeftOut = [
  ...(url ? ['the embedded database beneath what passed on PostgreSQL'] : []),
  `${browserFiles.length} files of the dashboard in a browser`,
  `${toolFiles.length} files of checks/ with tools of their own (also \`npm run check\`)`,
]

/** Through everything, on both databases. */
function isTour(file: string): boolean {
  return file.endsWith('/tour.test.ts')
}

function isIn(file: string, folders: string[]): boolean {
  return folders.some((folder) => file.startsWith(folder))
}

const project = (name: string, include: string[], env: Record<string, string> = {}) =>
  include.length > 0 ? [{ test: { ...sharedSettings, name, include, env } }] : []

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export of this file.
export default defineConfig({
  test: {
    maxWorkers: workersOn(availableParallelism()),
    tags: [longTag],
    // Each project would else compile every module again.
    experimental: { fsModuleCache: true },
    reporters: ['default', reportSlowest, ...(isShort ? [reportLeftOut(longFiles, alsoLeftOut)] : [])],
    globalSetup: ['./test/support/global-setup.ts'],
    projects: [
      ...project(
        'unit',
        own.filter((file) => without.includes(file)),
      ),
      ...project('pglite', onPglite),
      ...(url
        ? project(
            'postgres',
            stored.filter((file) => !isIn(file, embeddedOnly)),
            { TEST_ON: url },
          )
        : []),
      ...project(
        'process',
        all.filter((file) => isIn(file, processes)),
      ),
      ...project(
        'checks',
        all.filter((file) => isIn(file, checks)),
      ),
      ...project('tools', tools, url ? { TEST_ON: url } : {}),
      ...project('browser', inBrowser, url ? { TEST_ON: url } : {}),
      ...(url ? project('browser-pglite', inBrowser.filter(isTour)) : []),
    ],
  },
})
