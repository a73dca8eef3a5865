/** Which tests run without a database: only those that open none. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { testFilesByNeed } from '../support/needs-store.ts'

const { withStore, without } = testFilesByNeed()

it('no test that starts a node or opens a database is classified as running without one', () => {
  const opening =
    /\b(sharedNode|start\w*Node|enforcingNode|startEdge|startProgram|openPglite|createDatabase)\(/
  const starting = [...withStore, ...without].filter((file) => opening.test(readFileSync(file, 'utf8')))
  expect(starting.length).toBeGreaterThan(100)
  expect(starting.filter((file) => without.includes(file))).toEqual([])
})

it('a file that opens a database counts for its importers, except for imports of types only', () => {
  expect(withStore).toContain('test/auth/jwt/jwts.test.ts')
  expect(without).toContain('test/deployments/plan-files.test.ts')
  expect(without).toContain('test/dns/names.test.ts')
})
