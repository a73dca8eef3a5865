/** The parser of the format is strict: it finds deviations. */
import { expect, it } from 'vitest'
import { readFamilies, textOf } from '../../../../src/roles/internal/metrics/series.ts'
import { parseExposition } from './exposition.ts'

const head = '# HELP a_total Text.\n# TYPE a_total counter\n'

it.each([
  ['an unterminated line', `${head}a_total 1`],
  ['a sample without a type', 'a_total 1\n'],
  ['a repeated sample', `${head}a_total{x="1"} 1\na_total{x="1"} 2\n`],
  ['an unescaped label', `${head}a_total{x="a"b"} 1\n`],
  ['a repeated label', `${head}a_total{x="1",x="1"} 1\n`],
  ['a value that is not a number', `${head}a_total one\n`],
  ['a sample of another family', `${head}b_total 1\n`],
  ['a repeated family', `${head}a_total 1\n${head}`],
  ['an unknown type', '# HELP a Text.\n# TYPE a count\na 1\n'],
  ['a counter without the suffix _total', '# HELP a Text.\n# TYPE a counter\na 1\n'],
  [
    'decreasing buckets',
    '# HELP h T\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
  ],
])('%s is refused', (_, text) => expect(() => parseExposition(text)).toThrow())

it('labels are escaped: quotes, backslashes and line ends', async () => {
  const value = 'a "quoted" \\ text\nof two lines, {x="1"} 2'
  const text = textOf(
    await readFamilies([
      {
        name: 'a_total',
        help: 'Text.',
        type: 'counter',
        labels: ['x'],
        read: () => [{ labels: { x: value }, value: 3 }],
      },
    ]),
  )
  const family = parseExposition(text).get('a_total')
  expect(family?.samples).toEqual([{ name: 'a_total', labels: { x: value }, value: 3 }])
})
