/** Whatever a build prints, looking at it takes time that is linear in it. */
import { expect, it } from 'vitest'
import { createExcerpt } from '../../../../src/platform/builds/excerpt/excerpt.ts'
import { maxLineLength } from '../../../../src/platform/sandbox/read-lines.ts'

/** Beginnings and middles of what is looked for, which never comes to its end. */
const parts = [
  'a',
  'A',
  ' ',
  '\t',
  '0',
  ':1',
  ': ',
  '(1,2',
  '[a]',
  '[',
  'Error',
  'AError ',
  'error ',
  'no ',
  '0 failed ',
  'a.',
  'a:',
  'A.b:',
  '/',
  '/a/',
  '/_logs',
  'a@1 ',
  '@',
  'npm error ',
  'npm error @@',
  'npm error path /node_modules',
  '2026-',
  '12:34:56 ',
  '│ ',
  '➤ YN0028: ',
  'exit code ',
  'command ',
  'script process worker ',
  'Caused by: ',
  'at (a:1',
  'File "',
  'in `',
  '.go:1',
  'x.go:',
  'sh: ',
  '"level": ',
  '<--- ',
  '- ',
  '✖ ',
  '> 1 | ',
  '^~',
  '\ud83d\udea8',
]

/** Several times as long as any of them takes, and less than what grows with the square of the length. */
const maxMs = 0.2

const beginnings = ['', 'npm error ', '➤ YN0028: │ ', 'error ', '/', ' at ', '[', 'a.go:']

it('also if it is made to take long', () => {
  const lines = beginnings.flatMap((beginning) =>
    parts.map((part) => `${beginning}${part.repeat(Math.ceil(maxLineLength / part.length))}`),
  )
  const { add } = createExcerpt()
  const slow = lines.filter((text) => {
    const rounds = Array.from({ length: 20 }, (_, round) => {
      const begunMs = performance.now()
      add({ text, stream: round % 2 === 0 ? 'stdout' : 'stderr' })
      return performance.now() - begunMs
    })
    // Whatever else the machine does, it leaves one of them alone.
    return Math.min(...rounds) > maxMs
  })
  expect(slow.map((text) => text.slice(0, 40))).toEqual([])
})

it('and keeps no more of much than of little', () => {
  const excerpt = createExcerpt()
  const kinds = ['Error: no', 'a hint: not found', 'plain', 'Failed to compile.', 'warning: old', 'src/a.ts']
  for (let number = 0; number < 50_000; number += 1) {
    excerpt.add({ text: `${kinds[number % kinds.length]} ${number}`, stream: 'stderr' })
  }
  expect(excerpt.lines()).toHaveLength(10)
  expect(excerpt.lines().join('').length).toBeLessThanOrEqual(10 * 500)
})
