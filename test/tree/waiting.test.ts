/** Tests wait for conditions in one way, whose patience is that of a busy machine. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** By themselves they give up after a second. */
const impatient = /\bvi\s*\.\s*wait(For|Until)\b/

const filesIn = (folder: string, recursive: boolean) =>
  readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)

it('no test waits with Vitest’s own patience instead of test/support/eventually.ts', () => {
  expect(['For', 'Until'].filter((end) => impatient.test(`await vi.wait${end}(() => {})`))).toHaveLength(2)
  const files = [...filesIn('test', true), ...filesIn('tools', false), ...filesIn('dashboard/test', true)]
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => impatient.test(readFileSync(file, 'utf8')))).toEqual([])
})
