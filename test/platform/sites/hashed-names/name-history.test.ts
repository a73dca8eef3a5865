/** The history of names with a hash: bounded, and it knows for good what has changed. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import {
  addToHistory,
  createHasChanged,
  emptyHistory,
  type NameHistory,
} from '../../../../src/platform/sites/hashed-names/name-history.ts'

const file = (path: string, content: string) => ({
  path,
  sha256: createHash('sha256').update(content).digest('hex'),
})

const range = (length: number, from = 0) => Array.from({ length }, (_, index) => `${from + index}.js`)

const add = (history: NameHistory, content: string, ...paths: string[]) =>
  atOnce(
    addToHistory(
      history,
      paths.map((path) => file(path, content)),
    ),
  )

it('is new with a new name, and not with the same file again', () => {
  const first = add(emptyHistory, 'one', 'a.js')
  expect(first).toMatchObject({ isNew: true, hasChanged: false, changed: '' })
  expect(add(first, 'one', 'a.js')).toMatchObject({ isNew: false, seen: first.seen })
  expect(add(first, 'one', 'b.js')).toMatchObject({ isNew: true, hasChanged: false })
})

it('has changed once, and for good', () => {
  const changed = add(add(emptyHistory, 'one', 'a.js', 'b.js'), 'two', 'a.js')
  expect(changed).toMatchObject({ isNew: true, hasChanged: true })
  expect(['a.js', 'b.js'].map(createHasChanged(changed.changed))).toEqual([true, false])
  const later = add(changed, 'three', 'a.js')
  expect(later).toMatchObject({ isNew: false, hasChanged: false, changed: changed.changed })
})

it('forgets first what was deployed longest ago, and nothing of the latest deployment', () => {
  const kept = add(add(emptyHistory, 'one', ...range(8_192)), 'one', '0.js', 'new.js')
  const hasChanged = createHasChanged(add(kept, 'two', '0.js', '1.js', '2.js', 'new.js').changed)
  expect(['0.js', '1.js', '2.js', 'new.js'].map(hasChanged)).toEqual([true, false, true, true])
  const large = add(kept, 'one', ...range(10_000))
  expect(createHasChanged(add(large, 'two', '1.js').changed)('1.js')).toBe(true)
})

it('is bounded, however many names come and change', () => {
  let history: NameHistory = emptyHistory
  for (let round = 0; round < 5; round += 1) history = add(history, 'one', ...range(4_000, round * 4_000))
  expect(history.seen.length).toBe(8_192 * 16)
  history = add(history, 'two', ...range(8_192, 20_000 - 8_192))
  expect(history.changed.length).toBe(8_192 * 8)
})

it('believes no name once more have changed than it can keep', () => {
  const changed = add(add(emptyHistory, 'one', ...range(9_000)), 'two', ...range(9_000))
  expect(changed).toMatchObject({ changed: '*', hasChanged: true })
  expect(createHasChanged(changed.changed)('any.js')).toBe(true)
  expect(add(changed, 'three', 'any.js')).toMatchObject({ isNew: false, hasChanged: false })
})
