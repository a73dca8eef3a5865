import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const vague = /\b(?:told|asked|shown)\b/gi

/** The most of these words in README, docs and src together. */
const most = 59

it('says request, response, required and returned, and seldom told, asked and shown', () => {
  const files = ['docs', 'src'].flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((path) => join(directory, path)),
  )
  const found = ['README.md', ...files]
    .filter((file) => /\.(?:md|ts)$/.test(file))
    .flatMap((file) => (readFileSync(file, 'utf8').match(vague) ?? []).map((word) => `${file}: ${word}`))
  expect(found.slice(most)).toEqual([])
})
