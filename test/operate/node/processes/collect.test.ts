import { afterEach, expect, it, vi } from 'vitest'
import { createCollection } from '../../../../src/operate/node/processes/collect.ts'
import type { Readings } from '../../../../src/roles/internal/metrics/readings.ts'

const readings = (total: number): Readings => ({
  families: [
    { name: 'a_total', help: 'A.', type: 'counter', samples: [{ labels: {}, value: total }] },
    { name: 'b', help: 'B.', type: 'gauge', samples: [{ labels: {}, value: total }] },
  ],
  process: [],
})

function sumOf(all: Readings[], name: string): number {
  let sum = 0
  for (const { families } of all) {
    for (const family of families) {
      if (family.name !== name || family.type === 'histogram') continue
      for (const { value } of family.samples) sum += value
    }
  }
  return sum
}

afterEach(() => vi.useRealTimers())

it('has the counts of processes that have ended, but not what they held', async () => {
  const { add, readAll } = createCollection()
  add(async () => readings(100))
  for (let each = 0; each < 3; each += 1) {
    const end = add(async () => readings(10))
    await readAll()
    end()
  }
  const all = await readAll()
  expect(sumOf(all, 'a_total')).toBe(130)
  expect(sumOf(all, 'b')).toBe(100)
  expect(all).toHaveLength(2)
  expect(sumOf(await readAll(), 'a_total')).toBe(130)
})

it('a process that does not report counts with what it reported last', async () => {
  vi.useFakeTimers()
  const { add, readAll } = createCollection()
  let read = async () => readings(7)
  add(() => read())
  expect(sumOf(await readAll(), 'a_total')).toBe(7)
  read = () => Promise.reject(new Error('The other process has ended.'))
  expect(sumOf(await readAll(), 'a_total')).toBe(7)
  read = () => new Promise(() => {})
  const all = readAll()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sumOf(await all, 'a_total')).toBe(7)
})
