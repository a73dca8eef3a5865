/**
 * The projects of Vitest: which test files run, and on which database. What is missing on this machine is
 * left out.
 */
import { existsSync, readdirSync } from 'node:fs'
import { chromiumPath } from '../../dashboard/test/browser/find-chromium.ts'
import { hasPebble } from './has-pebble.ts'
import { isLongFile } from './long-tests.ts'
import { testFilesByNeed } from './needs-store.ts'
import { postgresUrl } from './postgres.ts'
import { hasLastRelease } from './previous-version.ts'
import { redisUrl } from './redis.ts'
import { hasSandbox } from './sandbox.ts'
import { sharedSettings } from './shared-settings.ts'
import { isShort } from './short.ts'

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
const sandboxed = (await hasSandbox())
  ? []
  : ['sandbox', 'builds', 'servers'].map((room) => `test/platform/${room}/contained/`)
if (sandboxed.length > 0) {
  leaveOut('bubblewrap (bwrap) does not run here: tests of builds and servers in a sandbox are left out.')
}

/** Tests with packages of their own. */
const toolFiles = readdirSync('tools')
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `tools/${name}`)
const tools = !isShort && existsSync('tools/node_modules') ? toolFiles : []
if (!isShort && tools.length === 0) {
  leaveOut('The packages of tools/ are not installed (`npm run check` does that): its tests are left out.')
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
    'The dashboard is not built (`npm run dashboard` does that), or Chromium is missing: ' +
      'tests in a browser are left out.',
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
const processes = ['test/e2e/', 'test/platform/sandbox/', 'test/platform/servers/contained/']
const tree = ['test/tree/']
/** Use the embedded database whatever there is. */
const embeddedOnly = ['test/roles/edge/', 'test/stores/data-dir/']
/** What is above the database is the same on both: where there is PostgreSQL, that alone does. */
const aboveStores = [
  'corpus/',
  'api/routers/account',
  // The details of a category, whose own file runs on both.
  ...[
    'branches',
    'caps',
    'delete',
    'files',
    'promote',
    'redeploy',
    'rules',
    'store-away',
    'upload',
    'wait',
    'zip',
  ].map((of) => `api/routers/deployments-${of}.test.ts`),
  ...['check', 'conflicts', 'zones'].map((of) => `api/routers/dns-${of}.test.ts`),
  ...['delete', 'env', 'hosts', 'names', 'roles'].map((of) => `api/routers/projects-${of}.test.ts`),
  'api/routers/domains-ownership.test.ts',
  'api/routers/tokens-',
  'api/routers/webhooks-',
  'platform/teams/invitation-links/',
  'platform/callers/jwt/',
  'platform/people/',
  'platform/teams/require-factor.test.ts',
  'platform/deployments/compressed.test.ts',
  'platform/sites/hashed-names/',
  'operate/backup/damaged.test.ts',
  'operate/backup/sessions.test.ts',
  'operate/integrity/deep-bucket.test.ts',
  'operate/backup/bucket.test.ts',
  'stores/blobs/direct-uploads.test.ts',
  'stores/blobs/encode-due.test.ts',
  'stores/blobs/lost-files.test.ts',
  'stores/blobs/receive-upload.test.ts',
  'stores/blobs/upload-url.test.ts',
  'platform/builds/',
  'platform/certificates/',
  'api/client/',
  'platform/domains/check/',
  'fuzz/',
  'roles/internal/',
  'platform/limits/',
  'roles/nameserver/',
  'platform/observability/requests/',
  'api/server/',
  'api/trpc/',
  'platform/visitors/',
  'platform/webhooks/delivery/',
  'platform/webhooks/mails/',
].map((name) => `test/${name}`)

/** Needs programs from elsewhere, and has a configuration of its own. */
const world = ['test/world/']

const { withStore, without } = testFilesByNeed()
const possible = [...withStore, ...without].filter(
  (file) => !isIn(file, [...sandboxed, ...upgrades, ...world]),
)
/** What `npm test` leaves out of what could run. */
export const longFiles = isShort ? possible.filter(isLongFile) : []
const all = possible.filter((file) => !longFiles.includes(file))
const own = all.filter((file) => !isIn(file, [...processes, ...tree]))
const stored = own.filter((file) => withStore.includes(file))

const onPglite = stored.filter(
  (file) => !url || isIn(file, embeddedOnly) || (!isShort && !isIn(file, aboveStores)),
)

/** What else it leaves out, in words. */
export const alsoLeftOut = [
  ...(url ? ['the embedded database beneath what passed on PostgreSQL'] : []),
  `${browserFiles.length} files of the dashboard in a browser`,
  `${toolFiles.length} files of tools/ with packages of their own (also \`npm run check\`)`,
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

/** Those that have files to run here. */
export const projects = [
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
    'tree',
    all.filter((file) => isIn(file, tree)),
  ),
  ...project('tools', tools, url ? { TEST_ON: url } : {}),
  ...project('browser', inBrowser, url ? { TEST_ON: url } : {}),
  ...(url ? project('browser-pglite', inBrowser.filter(isTour)) : []),
]
