/** The threat model names existing tests. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('docs/threat-model.md', 'utf8')

it('each guard names its tests', () => {
  const rows = [...text.matchAll(/^\|(.*)\|(.*)\|(.*)\|(.*)\|$/gm)].slice(2)
  expect(rows.length).toBeGreaterThan(10)
  const missing = rows.flatMap(([row, , , , tests = '']) => {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    if (named.length === 0) return [row]
    return named.filter((name) => !existsSync(name?.endsWith('/') ? `test/${name}` : `test/${name}.test.ts`))
  })
  expect(missing).toEqual([])
})
