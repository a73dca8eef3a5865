/** What a `_headers` file may contain, and the errors for the rest. */
import { describe, expect, it } from 'vitest'
import { parseHeaders } from '../../../src/deployments/rules/headers.ts'

const splat = { name: 'splat' }

function problemsOf(text: string): string[] {
  return parseHeaders(text).bad.map(({ line, problem }) => `${line}: ${problem}`)
}

it('paths with the headers below them', () => {
  const text = [
    '# for all',
    '/*',
    '  X-Frame-Options: DENY',
    "\tContent-Security-Policy:default-src 'self'; img-src data: https:",
    '',
    '/assets/*.css\r',
    '  ! X-Frame-Options\r',
    '  Cache-Control: public, max-age=60\r',
    '/movies/:title/',
    '  Link: <https://example.com:8080/:title/:splat>; rel="canonical"',
  ].join('\n')
  expect(parseHeaders(text)).toEqual({
    bad: [],
    rules: [
      {
        at: [splat],
        changes: [
          { name: 'X-Frame-Options', value: ['DENY'] },
          { name: 'Content-Security-Policy', value: ["default-src 'self'; img-src data: https:"] },
        ],
      },
      {
        at: ['assets/', splat, '.css'],
        changes: [
          { name: 'X-Frame-Options', value: null },
          { name: 'Cache-Control', value: ['public, max-age=60'] },
        ],
      },
      {
        at: ['movies/', { name: 'title' }],
        changes: [
          {
            name: 'Link',
            value: ['<https://example.com:8080/', { name: 'title' }, '/:splat>; rel="canonical"'],
          },
        ],
      },
    ],
  })
})

describe('an invalid line is reported with its number and a suggestion', () => {
  it.each([
    ['X-A: 1', '1: the first line is a path, such as /*'],
    ['/*', '1: has no headers below it'],
    ['/a\n/b\n  X-A: 1', '1: has no headers below it'],
    ['/* X-A: 1', '1: remove X-A:'],
    ['https://a.example/*\n  X-A: 1', '1: rules are for paths of this site'],
    ['/a?b\n  X-A: 1', '1: matching by query is not supported'],
    ['/*\n  X-A', '2: write Name: value, or ! Name'],
    ['/*\n  X-A:', '2: X-A needs a value'],
    ['/*\n  X A: 1', '2: X A is no header name'],
    ['/*\n  X-A : 1', '2: X-A  is no header name'],
    ['/*\n  : 1', '2:  is no header name'],
    ['/*\n  Ünd: 1', '2: Ünd is no header name'],
    ['/*\n  X-A: ünd', '2: the value of X-A must be printable ASCII'],
    ['/*\n  X-A: a\rSet-Cookie: b', '2: has a control character'],
    ['/*\n  X-A: a\u0000', '2: has a control character'],
    ['/*\n  ! Content-Type', "2: Content-Type can be set, but can't be removed"],
    ['/*\n  !', '2:  is no header name'],
  ])('%j', (text, problem) => expect(problemsOf(text).join('\n')).toContain(problem))

  it.each([
    'Content-Length',
    'content-encoding',
    'TRANSFER-ENCODING',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Trailer',
    'Date',
    'Server',
    'Content-Range',
    'Accept-Ranges',
    'ETag',
    'Last-Modified',
    'Vary',
    'Location',
    'Set-Cookie',
    'WWW-Authenticate',
    'Basic-Auth',
    'Alt-Svc',
    'X-Accel-Redirect',
    'X-Sendfile',
    'Proxy-Authenticate',
    'X-Svc-Anything',
  ])('%s cannot be set or removed by a site', (name) => {
    expect(problemsOf(`/*\n  ${name}: x`)).toEqual([expect.stringContaining(`2: remove ${name}: `)])
    expect(problemsOf(`/*\n  ! ${name}`)).toEqual([expect.stringContaining(`2: remove ${name}: `)])
  })
})

describe('limits', () => {
  it('100 paths', () => {
    const paths = (count: number) => Array.from({ length: count }, (_, i) => `/a${i}\n  X-A: 1\n`).join('')
    expect(problemsOf(paths(100))).toEqual([])
    expect(problemsOf(paths(101))).toEqual(['201: at most 100 paths are allowed; remove this one'])
  })

  it('1,000 headers', () => {
    expect(problemsOf(`/*\n${'X-A: 1\n'.repeat(1_000)}`)).toEqual([])
    expect(problemsOf(`/*\n${'X-A: 1\n'.repeat(1_001)}`)).toEqual([
      '1002: at most 1000 headers are allowed; remove this one',
    ])
  })

  it('2,000 characters a line', () => {
    expect(problemsOf(`/*\nX-A: ${'b'.repeat(1_995)}`)).toEqual([])
    expect(problemsOf(`/*\nX-A: ${'b'.repeat(1_996)}`)).toEqual([
      '2: has 2001 characters; write at most 2000',
    ])
  })

  it('fifty invalid lines are reported, however many there are', () => {
    expect(problemsOf('/a\n'.repeat(100_000))).toHaveLength(50)
  })
})
