import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { isLongFile, longTag, reportLeftOut } from './test/support/long-tests.ts'
import { testFilesByNeed } from './test/support/needs-store.ts'
import { postgresUrl } from './test/support/postgres.ts'
import { redisUrl } from './test/support/redis.ts'
import { hasSandbox } from './test/support/sandbox.ts'
import { isShort } from './test/support/short.ts'
import { tellSlowest } from './test/support/tell-slowest.ts'

const url = await postgresUrl()

if (!url) {
  leaveOut('PostgreSQL does not answer at 127.0.0.1:5432 (or TEST_DATABASE_URL): its suites are left out.')
}
if (!(await redisUrl())) {
  leaveOut('Redis does not answer at 127.0.0.1:6379 (or TEST_REDIS_URL): tests of limits in it are left out.')
}
const sandboxed = (await hasSandbox()) ? [] : ['test/builds/sandbox/contained/', 'test/builds/contained/']
if (sandboxed.length > 0) {
  leaveOut('bubblewrap (bwrap) does not run here: tests of builds in a sandbox are left out.')
}

function leaveOut(message: string): void {
  if (process.env.CI) throw new Error(message)
  console.warn(message)
}

/** With more, their nodes together would open over forty connections to PostgreSQL. */
const maxWorkers = 5

/** Start the program, or sandboxes. */
const processes = ['test/e2e/', 'test/builds/sandbox/']
const checks = ['test/checks/']
/** Use the embedded database whatever there is. */
const embeddedOnly = ['test/edge/', 'test/cli/', 'test/data-dir/']
/** What is above the database is the same on both: where there is PostgreSQL, that alone does. */
const aboveStores = ['clients', 'fuzz', 'internal', 'limits', 'rest-client', 'server', 'trpc'].map(
  (name) => `test/${name}/`,
)

const { withStore, without } = testFilesByNeed()
const possible = [...withStore, ...without].filter((file) => !isIn(file, sandboxed))
const longFiles = isShort ? possible.filter(isLongFile) : []
const all = possible.filter((file) => !longFiles.includes(file))
const own = all.filter((file) => !isIn(file, [...processes, ...checks]))
const stored = own.filter((file) => withStore.includes(file))

const onPglite = stored.filter(
  (file) => !url || isIn(file, embeddedOnly) || (!isShort && !isIn(file, aboveStores)),
)

const notRepeated = url ? ['the embedded database beneath what passed on PostgreSQL'] : []

function isIn(file: string, folders: string[]): boolean {
  return folders.some((folder) => file.startsWith(folder))
}

const shared: TestProjectInlineConfiguration['test'] = {
  pool: 'forks',
  setupFiles: ['./test/support/processor-time.ts', './test/support/hold-contract.ts'],
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  ...(isShort && { tagsFilter: [`!${longTag.name}`] }),
}

const project = (name: string, include: string[], env: Record<string, string> = {}) =>
  include.length > 0 ? [{ test: { ...shared, name, include, env } }] : []

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export of this file.
export default defineConfig({
  test: {
    maxWorkers: Math.min(maxWorkers, availableParallelism()),
    tags: [longTag],
    reporters: ['default', tellSlowest, ...(isShort ? [reportLeftOut(longFiles, notRepeated)] : [])],
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
    ],
  },
})
