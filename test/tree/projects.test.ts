/** Which tests run without a database: only those that open none. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { testFilesByNeed } from '../support/needs-store.ts'
import { longFiles, projects } from '../support/projects.ts'

const { withStore, without } = testFilesByNeed()

it('no test that starts a node or opens a database is classified as running without one', () => {
  const opening =
    /\b(sharedNode|start\w*Node|enforcingNode|startEdge|startProgram|openPglite|createDatabase)\(/
  const starting = [...withStore, ...without].filter((file) => opening.test(readFileSync(file, 'utf8')))
  expect(starting.length).toBeGreaterThan(100)
  expect(starting.filter((file) => without.includes(file))).toEqual([])
})

it('a file that opens a database counts for its importers, except for imports of types only', () => {
  expect(withStore).toContain('test/platform/callers/jwt/jwts.test.ts')
  expect(without).toContain('test/platform/deployments/check-files.test.ts')
  expect(without).toContain('test/platform/dns/record-names.test.ts')
})

it('every test file below test runs in a project, but for what needs programs from elsewhere', () => {
  const run = new Set(projects.flatMap(({ test }) => test.include))
  const left = [...withStore, ...without].filter((file) => !run.has(file) && !longFiles.includes(file))
  const needy = /^test\/(world|builds\/sandbox\/contained|builds\/contained)\/|^test\/e2e\/upgrade\.test\.ts$/
  expect(left.filter((file) => !needy.test(file))).toEqual([])
})
