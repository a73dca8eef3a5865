/** The list of dependencies is that of the package. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const text = readFileSync('docs/dependencies.md', 'utf8')
const names = z.record(z.string(), z.string()).transform((versions) => Object.keys(versions).sort())
const packageSchema = z.object({ dependencies: names, devDependencies: names })
const listed = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))

/** What the first column of the table below this heading names. */
function namedBelow(heading: string): string[] {
  const section = text.split('\n## ').find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const columns = [...section.matchAll(/^\| ?(`.*?) \|/gm)].map(([, column]) => column ?? '')
  return columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')).sort()
}

it.each([
  ['At run time', listed.dependencies],
  ['To develop', listed.devDependencies],
])('%s: every package is listed, and none that is gone', (heading, packages) => {
  expect(namedBelow(heading)).toEqual(packages)
})
