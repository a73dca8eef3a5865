/** What the log says about connections that are closed. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCutLog } from '../../../src/platform/limits/cut-log.ts'
import { createTestLog } from '../../support/kept-logs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function newLog() {
  const lines: string[] = []
  const count = createCutLog(createTestLog(lines), 'api')
  return { count, logged: () => lines.splice(0).map((line) => JSON.parse(line)) }
}

function times(count: number, act: () => void): void {
  for (let each = 0; each < count; each += 1) act()
}

it('a burst is one line, with the address of which most were closed', () => {
  const { count, logged } = newLog()
  count('192.0.2.1')
  times(644, () => count('192.0.2.2'))
  vi.advanceTimersByTime(1_000)
  expect(logged()).toEqual([
    expect.objectContaining({ target: 'api', address: '192.0.2.2', cut_of_address: 644, cut: 645 }),
  ])
})

it('what goes on is a line a minute, which counts from the last one', () => {
  const { count, logged } = newLog()
  for (let second = 0; second < 181; second += 1) {
    count('192.0.2.1')
    vi.advanceTimersByTime(1_000)
  }
  expect(logged().map(({ cut }) => cut)).toEqual([1, 60, 60, 60])
})

it('says nothing while nothing is closed', () => {
  const { count, logged } = newLog()
  count('192.0.2.1')
  vi.advanceTimersByTime(1_000)
  expect(logged()).toHaveLength(1)
  vi.advanceTimersByTime(600_000)
  expect(logged()).toEqual([])
})

it('counts the addresses of a large network in the sum', () => {
  const { count, logged } = newLog()
  for (let each = 0; each < 5_000; each += 1) count(`2001:db8:0:${each.toString(16)}::/64`)
  vi.advanceTimersByTime(1_000)
  expect(logged()[0]).toMatchObject({ cut: 5_000, cut_of_address: 1 })
})
