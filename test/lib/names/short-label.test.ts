/** The pattern for names of projects and slugs of teams, which clients of any language read. */
import { expect, it } from 'vitest'
import { shortLabel } from '../../../src/lib/names/short-label.ts'
import { re2Problem } from '../../support/re2.ts'

/** What the pattern says, for programs that know lookahead. */
const withLookahead = /^(?!..--)[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/

function* textsOf(characters: string, longest: number): Generator<string> {
  yield ''
  if (longest === 0) return
  for (const rest of textsOf(characters, longest - 1)) for (const each of characters) yield each + rest
}

it('is a label without hyphens in the third and fourth place, up to 40 characters', () => {
  const middles = [37, 38, 39].flatMap((count) => ['a', '-'].map((each) => each.repeat(count)))
  const long = middles.flatMap((middle) =>
    ['', 'a', 'a-', 'aa', 'aa-', 'a-a'].map((start) => `${start}${middle}a`),
  )
  const texts = [
    ...textsOf('a-', 9),
    ...textsOf('a-A', 4),
    ...long,
    'a\n',
    '-',
    'ä',
    'a_b',
    '0',
    'x'.repeat(41),
  ]
  for (const text of texts) expect([text, shortLabel.test(text)]).toEqual([text, withLookahead.test(text)])
})

it('is published in a form that RE2 reads', () => {
  expect(re2Problem(shortLabel.source)).toBeUndefined()
  expect(re2Problem(withLookahead.source)).toBe('(?! at 1')
})
