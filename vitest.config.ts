import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longTag, reportLeftOut } from './test/support/long-tests.ts'
import { alsoLeftOut, longFiles, projects } from './test/support/projects.ts'
import { reportSlowest } from './test/support/report-slowest.ts'
import { reportStaleBuild } from './test/support/report-stale-build.ts'
import { isShort } from './test/support/short.ts'
import { workersOn } from './test/support/workers.ts'

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export of this file.
export default defineConfig({
  test: {
    maxWorkers: workersOn(availableParallelism()),
    tags: [longTag],
    // Each project would else compile every module again.
    experimental: { fsModuleCache: true },
    reporters: [
      'default',
      reportSlowest,
      reportStaleBuild,
      ...(isShort ? [reportLeftOut(longFiles, alsoLeftOut)] : []),
    ],
    globalSetup: ['./test/support/global-setup.ts'],
    projects,
  },
})
