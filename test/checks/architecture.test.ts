/** ARCHITECTURE.md names every folder of `src`, and only files that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

it('has a row for each folder of src', () => {
  const rows = [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`([^`]+)`/g),
  ])
  const named = rows.map(([, name]) => name).sort()
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(named).toEqual(folders.map(({ name }) => name).sort())
})

it('names only files that exist in its walks', () => {
  const paths = [...text.matchAll(/`((?:src|test|checks)\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

it('leaves only four loose files in src, which everything uses', () => {
  const files = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name).sort()).toEqual(['errors.ts', 'ids.ts', 'main.ts', 'version.ts'])
})
