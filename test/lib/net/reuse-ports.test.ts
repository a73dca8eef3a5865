import { expect, it } from 'vitest'
import { canReusePorts } from '../../../src/lib/net/reuse-ports.ts'

it.each([
  ['20.19.0', 'linux', false],
  ['22.11.0', 'linux', false],
  ['22.12.0', 'linux', true],
  ['23.0.0', 'linux', false],
  ['23.1.0', 'linux', true],
  ['24.0.0', 'linux', true],
  ['24.0.0', 'darwin', false],
] as const)('Node %s on %s: %s', (version, platform, expected) => {
  expect(canReusePorts(version, platform)).toBe(expected)
})
