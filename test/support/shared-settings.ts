/** Vitest's settings for every project. */
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { patienceMs } from './eventually.ts'
import { longTag } from './long-tests.ts'
import { isShort } from './short.ts'

export const sharedSettings: TestProjectInlineConfiguration['test'] = {
  pool: 'forks',
  setupFiles: [
    './test/support/known-scrypts.ts',
    './test/support/processor-time.ts',
    './test/support/stop-nodes.ts',
    './test/support/hold-contract.ts',
  ],
  isolate: false,
  // For what hangs: some take a dozen seconds, and several times that beside others on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Vitest's own second is too short for a busy machine.
  expect: { poll: { timeout: patienceMs } },
  ...(isShort && { tagsFilter: [`!${longTag.name}`] }),
}
