import { defineConfig } from 'vitest/config'
import { postgresUrl } from './test/support/postgres.ts'
import { redisUrl } from './test/support/redis.ts'
import { hasSandbox } from './test/support/sandbox.ts'

const stores = ['test/**/*.test.ts']
/** Also below `test`, where a workspace has packages of its own. */
const packages = '**/node_modules/**'
const withoutStores = [
  packages,
  'test/builds/sandbox/**',
  'test/e2e/**',
  'test/data-dir/**',
  'test/cli/**',
  'test/edge/**',
  'test/checks/**',
]
const url = await postgresUrl()

if (!url) {
  leaveOut('PostgreSQL does not answer at 127.0.0.1:5432 (or TEST_DATABASE_URL): its suites are left out.')
}
if (!(await redisUrl())) {
  leaveOut('Redis does not answer at 127.0.0.1:6379 (or TEST_REDIS_URL): tests of limits in it are left out.')
}
const sandboxed = (await hasSandbox()) ? [] : ['test/builds/sandbox/contained/**', 'test/builds/contained/**']
if (sandboxed.length > 0) {
  leaveOut('bubblewrap (bwrap) does not run here: tests of builds in a sandbox are left out.')
}

function leaveOut(message: string): void {
  if (process.env.CI) throw new Error(message)
  console.warn(message)
}

const shared = {
  pool: 'forks',
  setupFiles: './test/support/hold-contract.ts',
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  retry: process.env.CI ? 1 : 0,
} as const

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export of this file.
export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['./test/support/global-setup.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'pglite',
          include: stores,
          exclude: [packages, 'test/e2e/**', 'test/checks/**', ...sandboxed],
        },
      },
      ...(url
        ? [
            {
              test: {
                ...shared,
                name: 'postgres',
                include: stores,
                exclude: [...withoutStores, ...sandboxed],
                env: { TEST_ON: url },
              },
            },
          ]
        : []),
      {
        test: { ...shared, name: 'program', include: ['test/e2e/**/*.test.ts', 'test/checks/**/*.test.ts'] },
      },
    ],
  },
})
