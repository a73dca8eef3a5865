/** What the dashboard is built from is what tells whether it has to be built again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { shared } from '../../dashboard/export/sources.mjs'

const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(directory, name))

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']*)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )

it('the files of the program that it imports, and those that these import, are named', () => {
  const found = new Set<string>()
  const waiting = filesOf('dashboard/src').flatMap(importsOf)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (!path.startsWith('src/') || found.has(path)) continue
    expect(existsSync(path), path).toBe(true)
    found.add(path)
    waiting.push(...importsOf(path))
  }
  expect([...found].sort()).toEqual([...shared].sort())
})
