import { expect, it } from 'vitest'
import { createEdgeSeries } from '../../../../src/roles/internal/metrics/edge-series.ts'
import { readFamilies, textOf } from '../../../../src/roles/internal/metrics/series.ts'
import { parseExposition } from './exposition.ts'

it('responses of the edge by class, with their bytes, the source of the bytes, and durations', async () => {
  const { observe, series } = createEdgeSeries()
  observe({ status: 200, bytes: 1_000, durationMs: 0.2, cache: 'memory' })
  observe({ status: 206, bytes: 500, durationMs: 700, cache: 'blob' })
  observe({ status: 304, bytes: 0, durationMs: 0.1, cache: 'none' })
  observe({ status: 404, bytes: 20, durationMs: 2, cache: 'none' })
  observe({ status: 503, bytes: 30, durationMs: 500_000, cache: 'none' })
  const families = parseExposition(textOf(await readFamilies(series)))
  const samples = (name: string) =>
    families.get(name)?.samples.map(({ labels, value }) => [Object.values(labels)[0] ?? '', value])
  expect(samples('svc_edge_requests_total')).toEqual([
    ['1xx', 0],
    ['2xx', 2],
    ['3xx', 1],
    ['4xx', 1],
    ['5xx', 1],
  ])
  expect(samples('svc_edge_sent_bytes_total')).toEqual([['', 1_550]])
  expect(samples('svc_edge_answers_total')).toEqual([
    ['memory', 1],
    ['blob', 1],
    ['none', 3],
  ])
  const durations = families.get('svc_edge_request_duration_seconds')?.samples ?? []
  const below = (le: string) => durations.find(({ labels }) => labels.le === le)?.value
  expect([below('0.0005'), below('0.0025'), below('0.5'), below('1'), below('120'), below('+Inf')]).toEqual([
    2, 3, 3, 4, 4, 5,
  ])
  expect(durations.find(({ name }) => name.endsWith('_sum'))?.value).toBeCloseTo(500.7023)
  expect(durations.find(({ name }) => name.endsWith('_count'))?.value).toBe(5)
})
