/** The lines that say why a command failed, of what tools really print. */
import { describe, expect, it } from 'vitest'
import { read, readErrors, recordings } from './recordings.ts'

const all = recordings()
const failed = all.filter(({ quote }) => quote.length > 0)
const succeeded = all.filter(({ quote }) => quote.length === 0)

it('there are recordings of each tool', () => {
  expect(failed.length).toBeGreaterThan(90)
  expect(succeeded.map(({ title }) => title)).toEqual([
    'astro: success',
    'eslint: warnings alone',
    'next: success',
  ])
})

describe('why it failed is in', () => {
  it.each(failed)('$title', ({ lines, quote }) => {
    const { excerpt } = read(lines)
    expect(excerpt.lines()).toEqual(quote)
    expect(quote.length).toBeLessThanOrEqual(10)
  })
})

it.each(succeeded)('$title: no line is an error', ({ lines }) => {
  const { excerpt, levels } = read(lines)
  expect(excerpt.errors()).toEqual([])
  expect(levels.filter(({ level }) => level === 'error')).toEqual([])
})

/** Lines that have the words of errors, or come from standard error, and say nothing about a failure. */
const traps = [
  'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory. Error prone.',
  'npm WARN ERESOLVE overriding peer dependency',
  'npm notice New major version of npm available! 10.8.2 -> 11.0.0',
  '(node:31865) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.',
  '(node:31865) ExperimentalWarning: Error: is an experimental feature',
  '(Use `node --trace-deprecation ...` to show where the warning was created)',
  'Found 0 errors. Watching for file changes.',
  '0 errors, 0 warnings',
  '✖ 2 problems (0 errors, 2 warnings)',
  'Compiled without errors',
  'no errors found',
  'errors: 0',
  '    0 Error(s)',
  'src/error-boundary.tsx  1.2 kB │ gzip: 0.6 kB',
  'error-boundary.tsx',
  '├ ○ /error                               133 B         103 kB',
  '├ ● /errors/[code]',
  'dist/assets/error-B4x7Qa.js   12.10 kB │ gzip: 4.61 kB',
  '> eslint src --no-error-on-unmatched-pattern',
  '$ tsc --noErrorTruncation && vite build --mode error',
  '--no-error',
  '✓ throws an error for an empty cart (3 ms)',
  '  ✔ Error: is displayed to visitors',
  'Error handling is set up',
  'Error pages: 404.html, 500.html',
  'warning: field `error` is never read',
  'src/cart.ts:3:7: warning: unused variable "error"',
  'WARNING: Running pip as the root user can result in broken permissions',
  'Refused: telemetry.nextjs.org:443 is not in SVC_BUILD_HOSTS.',
  'npm error A complete log of this run can be found in: /build/home/.npm/_logs/x-debug-0.log',
  'npm error Lifecycle script `build` failed with error:',
  'npm error code 1',
  'npm error path /workspace',
  'npm error command sh -c vite build',
  'npm ERR! Failed at the web@1.0.0 build script.',
  'info  - Creating an optimized production build',
  '    at Object.error (node:internal/errors:984:15)',
]

describe.each(traps)('%j', (trap) => {
  it('is no error in the log', () => {
    expect(readErrors(trap).levels).toEqual([{ text: trap, level: expect.not.stringMatching('error') }])
  })

  it.each([
    ['before', [trap, 'src/App.tsx(3,7): error TS2304: no']],
    ['after', ['src/App.tsx(3,7): error TS2304: no', '', trap]],
  ])('%s an error is left out', (_, lines) => {
    expect(readErrors(...lines).excerpt.lines()).toEqual(['src/App.tsx(3,7): error TS2304: no'])
  })
})

it.each([
  ['warn', 'npm warn deprecated inflight@1.0.6'],
  ['warn', '  1:7  warning  is assigned a value but never used  no-unused-vars'],
  ['error', '  1:7  error  is not defined  no-undef'],
  ['error', 'npm error code ERESOLVE'],
  ['error', 'npm error peer react@"^18.2.0" from react-dom@18.2.0'],
  ['error', 'cart.ts: error 1234'],
  ['error', '2026-11-30 04:00:12,345 ERROR cart has no total'],
  ['error', '[04:00:12] [ERROR] cart has no total'],
  ['error', '{"level":"error","message":"cart has no total"}'],
  ['error', '{"level":50,"msg":"cart has no total"}'],
  ['error', 'level=error msg="cart has no total"'],
  ['error', '(node:7) UnhandledPromiseRejectionWarning: Error: no total'],
  ['error', 'web:build: Error: no total'],
  ['info', 'Building 3 pages'],
  ['info', 'npm http fetch GET 404 https://registry.npmjs.org/x'],
])('%s is the level of %s', (level, text) => {
  expect(readErrors(text).levels).toEqual([{ text, level }])
})

describe('where no line says it', () => {
  it('it is the last ones that are neither warnings nor of no use', () => {
    const { excerpt } = read([
      ...[1, 2, 3, 4, 5, 6].map((number) => `1 Page ${number}`),
      '1 -----',
      '2 npm warn deprecated inflight@1.0.6',
      '2 /workspace/build.py:2: DeprecationWarning: old',
      '2   warnings.warn("old", DeprecationWarning)',
      '1 ',
      '2 npm error Lifecycle script `build` failed with error:',
      '2 npm error code 1',
    ])
    expect(excerpt.errors()).toEqual([])
    expect(excerpt.lines()).toEqual(['Page 2', 'Page 3', 'Page 4', 'Page 5', 'Page 6'])
  })

  it('and some have words of failures, it is these', () => {
    const { excerpt } = read(['1 Reading posts', '2 Could not reach the CMS', '1 Bye', '1 Stopped'])
    expect(excerpt.lines()).toEqual(['Could not reach the CMS'])
  })

  it('it is a line above a stack trace', () => {
    const { excerpt } = readErrors('Reading', '', 'No more carts', '    at total (/workspace/cart.mjs:2:15)')
    expect(excerpt.lines()).toEqual(['No more carts', '    at total (/workspace/cart.mjs:2:15)'])
  })

  it('and nothing was printed, there is none', () => {
    expect(read([]).excerpt.lines()).toEqual([])
    expect(read(['1 ', '1 > web@1.0.0 build', '1 > false', '1 ']).excerpt.lines()).toEqual([])
  })
})

it('the first ten of many errors, each once, with nothing else', () => {
  const error = (number: number) => `1 src/cart.ts(${number},7): error TS2304: Cannot find name 'totl'.`
  const lines = Array.from({ length: 500 }, (_, index) => [error(index), '1   Did you mean total?', error(0)])
  const quoted = read(lines.flat()).excerpt.lines()
  expect(quoted).toEqual(Array.from({ length: 10 }, (_, index) => error(index).slice(2)))
})

it('lines of both streams, in the order in which they came', () => {
  const { excerpt } = read(['2 error: one', '1 Error: two', '2 fatal: three'])
  expect(excerpt.lines()).toEqual(['error: one', 'Error: two', 'fatal: three'])
})

it('what one stream prints in between breaks no error of the other', () => {
  const { excerpt } = read([
    '2 error[E0308]: mismatched types',
    '1 Page 1',
    '2  --> src/main.rs:3:22',
    '1 Page 2',
  ])
  expect(excerpt.lines()).toEqual(['error[E0308]: mismatched types', ' --> src/main.rs:3:22'])
})

it('a line is cut after 500 characters, and none of them is half of one', () => {
  const [quoted = ''] = readErrors(`Error: ${'😀'.repeat(400)}`).excerpt.lines()
  expect(quoted).toHaveLength(500)
  expect(quoted).toMatch(/^Error: 😀+\ufffd?…$/u)
  expect(quoted.isWellFormed()).toBe(true)
})
