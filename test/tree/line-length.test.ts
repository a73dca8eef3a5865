/** Lines are as long as `.editorconfig` says, which the formatter holds for code, but not for texts in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const longest = Number(/^max_line_length = (\d+)$/m.exec(readFileSync('.editorconfig', 'utf8'))?.[1])

const generated = new Set(['dashboard/next-env.d.ts'])

const lengthOf = (text: string) => [...text].length

/** A word that fits into no line at its indentation can't be broken, nor can an import of one name. */
const isUnbreakable = (line: string) =>
  /^import (?:type )?\{ [\w ]+ \} from /.test(line) ||
  lengthOf(line.match(/^ */)?.[0] ?? '') + Math.max(...line.split(' ').map(lengthOf)) > longest

const isTooLong = (line: string) => lengthOf(line) > longest && !isUnbreakable(line)

it.each([
  ['a line that is full', 'x '.repeat(55).trim(), false],
  ['a line with a word too many', 'words '.repeat(20).trim(), true],
  ['a long word', `const key = '${'x'.repeat(120)}'`, false],
  ['characters of several bytes', '… '.repeat(55).trim(), false],
])('%s', (_what, line, expected) => {
  expect(isTooLong(line)).toBe(expected)
})

it('no line is longer, unless a word alone makes it so', () => {
  const files = filesIn('.').filter((file) => !generated.has(file))
  expect(files.length).toBeGreaterThan(1_500)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (isTooLong(line) ? [`${file}:${index + 1}`] : [])),
  )
  expect(found).toEqual([])
})

/** Without what is installed or built, and what is hidden. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (/^\.|^(?:node_modules|dist|out)$/.test(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() && /\.(?:ts|tsx|mjs)$/.test(entry.name) ? [path] : []
  })
}
