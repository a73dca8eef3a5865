/** No page has a command that would run a foreign package: the registry has another `svc`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const pages = ['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'client/README.md']
const folders = ['docs', 'src', 'examples']

it('names no bare npx', () => {
  const files = [...pages, ...folders.flatMap(filesIn)]
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    (readFileSync(file, 'utf8').match(/\bnpx\s+[\w@-]+/g) ?? []).map((command) => `${file}: ${command}`),
  )
  expect(found).toEqual([])
})

it('in CONTRIBUTING.md npx runs only installed programs', () => {
  const names = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/\bnpx\s+([\w@/-]+)/g)
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([...names].map(([, name = '']) => name).filter((name) => !(name in devDependencies))).toEqual([])
})

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
