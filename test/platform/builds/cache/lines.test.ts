/** Whose caches a build reads and writes. */
import { expect, it } from 'vitest'
import { linesOf } from '../../../../src/platform/builds/cache/lines.ts'

const production = { name: 'production', label: 'production' }

const namesOf = (build: Parameters<typeof linesOf>[0]) => {
  const { reads, writes } = linesOf(build)
  return { reads: reads.map(({ name }) => name), writes: writes?.name }
}

it('production reads and writes its own, whatever branch it is of', () => {
  const lines = { reads: [production], writes: production }
  expect(linesOf({ target: 'production', meta: { branch: 'next' }, untrusted: false })).toEqual(lines)
})

it('a preview reads those of its branch, else production’s, and writes its branch’s', () => {
  const { reads, writes } = linesOf({ target: 'preview', meta: { branch: 'a/b' }, untrusted: false })
  expect(reads).toEqual([{ name: expect.stringMatching(/^branch-[0-9a-f]{16}$/), label: 'a/b' }, production])
  expect(writes).toBe(reads[0])
})

it('a branch of the name “production” is another line', () => {
  const { writes } = namesOf({ target: 'preview', meta: { branch: 'production' }, untrusted: false })
  expect(writes).toMatch(/^branch-/)
})

it('a preview of no branch reads production’s, and writes none', () => {
  const lines = { reads: ['production'], writes: undefined }
  expect(namesOf({ target: 'preview', meta: {}, untrusted: false })).toEqual(lines)
  expect(namesOf({ target: 'preview', meta: { branch: '' }, untrusted: false })).toEqual(lines)
})

it.each(['production', 'preview'] as const)('untrusted sources for %s read and write none', (target) => {
  expect(linesOf({ target, meta: { branch: 'next' }, untrusted: true })).toEqual({
    reads: [],
    writes: undefined,
  })
})

it('a branch’s name fits into a line of the log', () => {
  const label = (branch: string) =>
    linesOf({ target: 'preview', meta: { branch }, untrusted: false }).writes?.label
  expect(label('a\nb')).toBe('a␊b')
  expect(label('x'.repeat(1_000))).toBe(`${'x'.repeat(100)}…`)
})
