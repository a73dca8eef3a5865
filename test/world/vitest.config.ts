/** Runs what needs programs from elsewhere and takes long; `npm run test:world`. */
import { defineConfig } from 'vitest/config'
import { longTag } from '../support/long-tests.ts'
import { postgresUrl } from '../support/postgres.ts'
import { reportSlowest } from '../support/report-slowest.ts'
import { sharedSettings } from '../support/shared-settings.ts'
import { describeMissing } from './needs.ts'

const url = await postgresUrl()

for (const sentence of describeMissing(url)) process.stdout.write(`${sentence}\n`)

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export of this file.
export default defineConfig({
  root: '.',
  test: {
    // Each has nodes and proxies of its own, and measures how long clients wait.
    maxWorkers: 1,
    tags: [longTag],
    experimental: { fsModuleCache: true },
    reporters: ['default', reportSlowest],
    globalSetup: ['./test/support/global-setup.ts'],
    passWithNoTests: true,
    projects: [
      {
        test: {
          ...sharedSettings,
          name: 'world',
          include: ['test/world/**/*.test.ts'],
          env: url ? { TEST_ON: url } : {},
        },
      },
    ],
  },
})
