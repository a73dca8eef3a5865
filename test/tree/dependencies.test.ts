/** The lists of dependencies are those of the packages. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const text = readFileSync('docs/dependencies.md', 'utf8')
const names = z.record(z.string(), z.string()).transform((versions) => Object.keys(versions).sort())
const packageSchema = z.object({ dependencies: names, devDependencies: names.prefault({}) })
const [listed, tools] = ['package.json', 'tools/package.json'].map((file) =>
  packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))),
)

/** The first column of the table below this heading. */
function namedBelow(heading: string): string[] {
  const section = text.split('\n## ').find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const columns = [...section.matchAll(/^\| ?(`.*?) \|/gm)].map(([, column]) => column ?? '')
  return columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')).sort()
}

it.each([
  ['At run time', listed?.dependencies],
  ['To develop', listed?.devDependencies],
  ['For the tools', tools?.dependencies],
])('%s: every package is listed, and no removed one', (heading, packages) => {
  expect(namedBelow(heading)).toEqual(packages)
})
