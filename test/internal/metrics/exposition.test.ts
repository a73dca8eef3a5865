/** The reader of the format is strict: what strays from it is found. */
import { expect, it } from 'vitest'
import { textOf } from '../../../src/internal/metrics/series.ts'
import { parseExposition } from './exposition.ts'

const head = '# HELP a_total Text.\n# TYPE a_total counter\n'

it.each([
  ['a line without its end', `${head}a_total 1`],
  ['a sample without a type', 'a_total 1\n'],
  ['a sample twice', `${head}a_total{x="1"} 1\na_total{x="1"} 2\n`],
  ['a label that is not escaped', `${head}a_total{x="a"b"} 1\n`],
  ['a label twice', `${head}a_total{x="1",x="1"} 1\n`],
  ['a value that is no number', `${head}a_total one\n`],
  ['a sample of another family', `${head}b_total 1\n`],
  ['a family twice', `${head}a_total 1\n${head}`],
  ['a type that there is not', '# HELP a Text.\n# TYPE a count\na 1\n'],
  ['a counter that is not called so', '# HELP a Text.\n# TYPE a counter\na 1\n'],
  [
    'buckets that shrink',
    '# HELP h T\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
  ],
])('%s is refused', (_, text) => expect(() => parseExposition(text)).toThrow())

it('labels are escaped: quotes, backslashes and ends of lines', async () => {
  const value = 'a "quoted" \\ text\nof two lines, {x="1"} 2'
  const text = await textOf([
    {
      name: 'a_total',
      help: 'Text.',
      type: 'counter',
      labels: ['x'],
      read: () => [{ labels: { x: value }, value: 3 }],
    },
  ])
  const family = parseExposition(text).get('a_total')
  expect(family?.samples).toEqual([{ name: 'a_total', labels: { x: value }, value: 3 }])
})
