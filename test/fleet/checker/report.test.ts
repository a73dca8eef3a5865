import { expect, it } from 'vitest'
import { away, history, operation, promote } from './by-hand.ts'
import { check } from './check.ts'
import { recoveriesOf } from './recoveries.ts'
import { report } from './report.ts'

const failed = (at: [number, number]) => operation('promote', 'a-one', { at, outcome: 'info', status: 503 })

it('a recovery lasts until the last operation that fails after the end', () => {
  const windows = [away(['database'], [1_000, 2_000]), away([], [9_000, 9_500])]
  const operations = [failed([1_500, 1_600]), failed([1_900, 2_300]), failed([3_250, 3_300])]
  expect(recoveriesOf(history(operations, { windows }))).toMatchObject([
    { failures: 3, recoveryMs: 1_250 },
    { failures: 0, recoveryMs: 0 },
  ])
})

it('a report names operations, recoveries, and what happened around a violation', () => {
  const old = operation('page.live', 'a-one', { at: [5_000, 5_010], value: 'a-one@1', node: 'edge-2' })
  const operations = [promote('a-one', 'a-one@1', [0, 10]), promote('a-one', 'a-one@2', [1_000, 1_010]), old]
  const judged = history(operations, { windows: [away(['bucket'], [4_000, 4_500])] })
  const text = report(judged, check(judged))
  expect(text).toMatch(/^promote +2 +0 +0/m)
  expect(text).toMatch(/^no bucket +4\.0 s +0\.5 s +0 +0\.0 s$/m)
  expect(text).toContain('1 × stale read')
  expect(text).toContain(
    '5.000 stale read: page.live of a-one returned a-one@1, though a-one@2 was there since 1010 ms.',
  )
  expect(text).toContain('> 5.000–5.010 test: page.live a-one → ok a-one@1 edge-2')
  expect(text).toContain('> 1.000–1.010 test: promote a-one a-one@2 → ok a-one@2')
  expect(text).toContain('  4.000–4.500 no bucket')
})
