import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const vague = /\b(?:told|asked|shown)\b/gi

it.each([
  { roots: ['README.md', 'docs', 'src'], most: 59 },
  { roots: ['test', 'tools'], most: 10 },
])('$roots say request, response, required and returned instead of vague words', ({ roots, most }) => {
  expect(matchesIn(roots, vague).slice(most)).toEqual([])
})

/** The beginnings of docstrings that say nothing without the name below. */
const withoutNoun = /\/\*\*\s+(?:\* )?(?:Of|What)\b.*/g

it.each([
  ['/** What is free, in bytes. */', true],
  ['  /** Of a project. */', true],
  ['/**\n * What a forge sent.\n */', true],
  ['/** The bytes that are free. */', false],
  ['/** Whatever is free. */', false],
  ['/**\n * The deliveries.\n * What waits is due.\n */', false],
])('%j', (text, expected) => {
  expect(text.match(withoutNoun) !== null).toBe(expected)
})

it('docstrings begin with their noun or verb, and not with "Of" or "What"', () => {
  const roots = ['src', 'build', 'client', 'dashboard/src', 'dashboard/export', 'dashboard/next.config.ts']
  expect(matchesIn(roots, withoutNoun)).toEqual([])
})

function matchesIn(roots: string[], pattern: RegExp): string[] {
  return roots
    .flatMap((root) => (root.includes('.') ? [root] : textsIn(root)))
    .flatMap((file) => (readFileSync(file, 'utf8').match(pattern) ?? []).map((found) => `${file}: ${found}`))
}

/** The texts that people write: titles, comments and names alike. */
function textsIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:md|tsx?|mjs)$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .map((path) => join(directory, path))
}
