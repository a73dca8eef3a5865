import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const vague = /\b(?:told|asked|shown)\b/gi

it.each([
  { roots: ['README.md', 'docs', 'src'], most: 59 },
  { roots: ['test', 'tools'], most: 10 },
])('$roots say request, response, required and returned instead of vague words', ({ roots, most }) => {
  const found = roots
    .flatMap((root) => (root.includes('.') ? [root] : textsIn(root)))
    .flatMap((file) => (readFileSync(file, 'utf8').match(vague) ?? []).map((word) => `${file}: ${word}`))
  expect(found.slice(most)).toEqual([])
})

/** Titles, comments and names alike. */
function textsIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:md|ts|mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(directory, path))
}
