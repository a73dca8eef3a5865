/** Vitest's settings for every project. */
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { longTag } from './long-tests.ts'
import { isShort } from './short.ts'

export const sharedSettings: TestProjectInlineConfiguration['test'] = {
  pool: 'forks',
  setupFiles: [
    './test/support/processor-time.ts',
    './test/support/stop-nodes.ts',
    './test/support/hold-contract.ts',
  ],
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A condition is waited for as long as a busy machine may take; Vitest's own second is too short for that.
  expect: { poll: { timeout: 10_000 } },
  ...(isShort && { tagsFilter: [`!${longTag.name}`] }),
}
