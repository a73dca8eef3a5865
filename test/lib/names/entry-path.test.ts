/** The path of an archive's entry, however a program writes its name. */
import { expect, it } from 'vitest'
import { entryPath } from '../../../src/lib/names/entry-path.ts'
import { pathProblem } from '../../../src/lib/names/file-path.ts'

it.each([
  ['index.html', 'index.html'],
  ['./index.html', 'index.html'],
  ['.//a/b.html', 'a/b.html'],
  ['./././a', 'a'],
  ['././/./a/', 'a/'],
  ['./.well-known/x', '.well-known/x'],
  ['./..a', '..a'],
  ['.a/b', '.a/b'],
  ['./u\u0308', '\u00fc'],
])('%j is %j', (name, path) => expect(entryPath(name)).toBe(path))

it.each(['./', './/', '././', '././//'])('%j is a directory: the root', (name) => {
  expect(entryPath(name)).toMatch(/\/$/)
})

it.each(['../a', './../a', '/etc/passwd', '/./a', 'a/./b', 'a//b', '.', '..'])(
  'nothing makes a valid path of %j',
  (name) => expect(pathProblem(entryPath(name))).toBeDefined(),
)
