/** Which deployments a worker makes. */
import { expect, it } from 'vitest'
import { needsWorker } from '../../src/lib/needs-worker.ts'

it.each([
  [false, 'files without a command', { build_command: null }],
  [false, 'files without a command, since null is none', { build_command: null, start: null }],
  [true, 'what a command builds', { build_command: 'make' }],
  [true, 'what a command starts', { build_command: null, start: 'node server.mjs' }],
  [true, 'what is built and started', { build_command: 'make', start: 'node server.mjs' }],
])('%s for %s', (expected, _, build) => {
  expect(needsWorker(build)).toBe(expected)
})

it('an install command alone changes nothing', () => {
  const build = { install_command: 'npm ci', build_command: null, start: null }
  expect(needsWorker(build)).toBe(false)
})
