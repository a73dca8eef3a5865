import { expect, it } from 'vitest'
import { addUp } from '../../../../src/roles/internal/metrics/add-up.ts'
import { createHistogram } from '../../../../src/roles/internal/metrics/histogram.ts'
import { readFamilies, type Series, textOf } from '../../../../src/roles/internal/metrics/series.ts'
import { parseExposition } from './exposition.ts'

/** The series of a process that answered so many requests, each in so many seconds. */
function seriesOf(statuses: Record<string, number>, seconds: number): Series[] {
  const histogram = createHistogram([0.1, 1])
  histogram.observe(seconds)
  return [
    {
      name: 'requests_total',
      help: 'R.',
      type: 'counter',
      labels: ['status'],
      read: () => Object.entries(statuses).map(([status, value]) => ({ labels: { status }, value })),
    },
    {
      name: 'seconds',
      help: 'S.',
      type: 'histogram',
      labels: [],
      read: () => [{ labels: {}, histogram }],
    },
  ]
}

const store: Series = {
  name: 'store_up',
  help: 'U.',
  type: 'gauge',
  labels: [],
  read: () => [{ labels: {}, value: 1 }],
}

it('counters add up by labels, histograms by buckets, and series of the first alone stay', async () => {
  const first = await readFamilies([...seriesOf({ 200: 1, 404: 2 }, 0.05), store])
  const others = await Promise.all(
    [seriesOf({ 200: 10 }, 0.5), seriesOf({ 500: 3 }, 5)].map((series) => readFamilies(series)),
  )
  const found = parseExposition(textOf(addUp(first, others)))
  const valuesOf = (name: string) => found.get(name)?.samples.map(({ labels, value }) => [labels, value])
  expect(valuesOf('requests_total')).toEqual([
    [{ status: '200' }, 11],
    [{ status: '404' }, 2],
    [{ status: '500' }, 3],
  ])
  expect(valuesOf('seconds')).toEqual([
    [{ le: '0.1' }, 1],
    [{ le: '1' }, 2],
    [{ le: '+Inf' }, 3],
    [{}, 5.55],
    [{}, 3],
  ])
  expect(valuesOf('store_up')).toEqual([[{}, 1]])
})
