/** The sentence for a build of Astro without an adapter. */
import { expect, it } from 'vitest'
import { createMissingAdapter } from '../../../src/platform/builds/missing-adapter.ts'

function sentenceFor(...lines: string[]) {
  const missing = createMissingAdapter()
  for (const line of lines) missing.look(line)
  return missing.sentence()
}

it.each([
  ['[NoAdapterInstalled] Cannot use server-rendered pages without an adapter.'],
  ['Cannot use server-rendered pages without an adapter. Please install one.'],
])('%s', (line) => {
  expect(sentenceFor('astro build', line, 'done')).toContain('`npm install @astrojs/node`')
})

it('nothing else is explained', () => {
  expect(sentenceFor('astro build', 'an adapter is there')).toBeUndefined()
})
