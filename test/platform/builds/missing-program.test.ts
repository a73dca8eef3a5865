/** The sentence about a program that a build didn't find. */
import { expect, it } from 'vitest'
import { createMissingProgram } from '../../../src/platform/builds/missing-program.ts'

function sentenceOf(line: string, around: Partial<Parameters<typeof createMissingProgram>[0]> = {}) {
  const missing = createMissingProgram({ network: 'host', installs: true, ...around })
  missing.look(line)
  return missing.sentence()
}

it.each([
  '/bin/sh: 1: vite: not found',
  'sh: 1: vite: not found',
  'sh: line 1: vite: command not found',
  'bash: vite: command not found',
  '/bin/sh: vite: not found',
])('%s', (line) => {
  expect(sentenceOf(line)).toMatch(/^vite is neither among the packages that were installed/)
  expect(sentenceOf(line, { installs: false })).toMatch(/^vite is not on the node .* set an install command/)
})

it.each([
  'error: the page was not found',
  'src/a.ts: 1: x: not found in y',
  'Cannot find package "vite": not found',
])('%s is of no program', (line) => {
  expect(sentenceOf(line)).toBeUndefined()
})

it('a package manager is fetched, but not without a network', () => {
  const line = '/bin/sh: 1: pnpm: not found'
  expect(sentenceOf(line)).toMatch(
    /^pnpm is not installed on the node that builds: name it as packageManager/,
  )
  expect(sentenceOf(line, { network: 'none' })).toMatch(/^pnpm .* sets SVC_BUILD_NETWORK=registries\.$/)
})
