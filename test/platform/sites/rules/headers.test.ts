/** What a `_headers` file may contain, and the errors for the rest. */
import { describe, expect, it } from 'vitest'
import { parseHeaders } from '../../../../src/platform/sites/rules/headers.ts'

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
    doubtful: [],
    rules: [
      {
        line: 2,
        rule: {
          at: [splat],
          changes: [
            { name: 'X-Frame-Options', value: ['DENY'] },
            { name: 'Content-Security-Policy', value: ["default-src 'self'; img-src data: https:"] },
          ],
        },
      },
      {
        line: 6,
        rule: {
          at: ['assets/', splat, '.css'],
          changes: [
            { name: 'X-Frame-Options', value: null },
            { name: 'Cache-Control', value: ['public, max-age=60'] },
          ],
        },
      },
      {
        line: 9,
        rule: {
          at: ['movies/', { name: 'title' }],
          changes: [
            {
              name: 'Link',
              value: ['<https://example.com:8080/', { name: 'title' }, '/:splat>; rel="canonical"'],
            },
          ],
        },
      },
    ],
  })
})

it.each([
  ['X-A : 1', 'X-A', '1'],
  ['X-A\t:\t1', 'X-A', '1'],
  ['X-A:1', 'X-A', '1'],
])('blanks around the colon don’t count: %j', (line, name, value) => {
  const { rules, bad } = parseHeaders(`/*\n  ${line}`)
  expect(bad).toEqual([])
  expect(rules[0]?.rule.changes).toEqual([{ name, value: [value] }])
})

it('a comment may follow a path; behind a value it is part of it, with a warning', () => {
  const { rules, bad, doubtful } = parseHeaders(
    '/* # everything\n  X-A: a#b\n  X-B: 1 # why\n  Link: </a#b>; rel=x',
  )
  expect(bad).toEqual([])
  expect(rules[0]?.rule).toEqual({
    at: [splat],
    changes: [
      { name: 'X-A', value: ['a#b'] },
      { name: 'X-B', value: ['1 # why'] },
      { name: 'Link', value: ['</a#b>; rel=x'] },
    ],
  })
  expect(doubtful).toEqual([{ line: 3, message: expect.stringContaining('# why is part of the value') }])
})

describe('the headers of another host are passed over, and the host is named', () => {
  it.each(['https://:project.pages.dev/*', 'http://www.example.com/a b', 'HTTPS://x.example'])(
    '%s',
    (path) => {
      const { rules, bad, doubtful } = parseHeaders(
        `/a\n  X-A: 1\n${path}\n  X-Robots-Tag: noindex # no\n/b\n  X-B: 1`,
      )
      expect(bad).toEqual([])
      expect(rules.map(({ line }) => line)).toEqual([1, 5])
      expect(doubtful).toEqual([{ line: 3, message: expect.stringContaining('is passed over') }])
    },
  )
})

describe('the content coding of files that are compressed already', () => {
  it.each(['br', 'gzip'])('can be %s', (coding) => {
    const { rules, bad } = parseHeaders(`/Build/*.x\n  Content-Encoding: ${coding}`)
    expect(bad).toEqual([])
    expect(rules[0]?.rule.changes).toEqual([{ name: 'Content-Encoding', value: [coding] }])
  })

  it.each(['deflate', 'zstd', 'identity', 'br, gzip', 'GZIP', ':splat', 'x'])('can’t be %s', (coding) => {
    expect(problemsOf(`/*\n  Content-Encoding: ${coding}`)).toEqual([
      expect.stringContaining('2: Content-Encoding is br or gzip'),
    ])
  })
})

describe('an invalid line is reported with its number and a suggestion', () => {
  it.each([
    ['X-A: 1', '1: the first line is a path, such as /*'],
    ['/*', '1: has no headers below it'],
    ['/a\n/b\n  X-A: 1', '1: has no headers below it'],
    ['/* X-A: 1', '1: remove X-A:'],
    ['/a b\n  X-A: 1', '1: remove b: a path has a line of its own'],
    ['/a?b\n  X-A: 1', '1: matching by query is not supported'],
    ['/*\n  X-A', '2: write Name: value, or ! Name'],
    ['/*\n  X-A:', '2: X-A needs a value'],
    ['/*\n  X A: 1', '2: X A is no header name'],
    ['/*\n  : 1', '2: the name of the header is missing: write Name: value, or ! Name'],
    ['/*\n  Ünd: 1', '2: Ünd is no header name'],
    ['/*\n  X-A: ünd', '2: the value of X-A must be printable ASCII'],
    ['/*\n  X-A: a\rSet-Cookie: b', '2: has a control character'],
    ['/*\n  X-A: a\u0000', '2: has a control character'],
    ['/*\n  ! Content-Encoding', "2: Content-Encoding can be set, but can't be removed"],
    ['/*\n  ! Content-Type', "2: Content-Type can be set, but can't be removed"],
    ['/*\n  !', '2: the name of the header is missing'],
  ])('%j', (text, problem) => expect(problemsOf(text).join('\n')).toContain(problem))

  it.each([
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

describe('a header that only the server knows is passed over, and named', () => {
  it.each([
    'Content-Length',
    'TRANSFER-ENCODING',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Trailer',
    'TE',
    'Date',
    'Server',
    'Via',
    'Age',
    'Allow',
    'Content-Range',
    'Accept-Ranges',
    'ETag',
    'Last-Modified',
    'Vary',
  ])('%s, set or removed', (name) => {
    const lines = [`${name}: x`, 'X-A: 1', `! ${name}`, `${name}: x # why`, `${name}:`, `${name}: ünd`]
    const { rules, bad, doubtful } = parseHeaders(`/*\n${lines.join('\n')}`)
    expect(bad).toEqual([])
    expect(rules).toEqual([{ line: 1, rule: { at: [splat], changes: [{ name: 'X-A', value: ['1'] }] } }])
    const message = expect.stringMatching(new RegExp(`^${name} is passed over: the server `))
    expect(doubtful).toEqual([2, 4, 5, 6, 7].map((line) => ({ line, message })))
  })

  it('also where it is the only one of its path, which then has no rule', () => {
    const { rules, bad, doubtful } = parseHeaders('/a\n  Vary: Accept-Encoding\n/b\n  X-B: 1')
    expect([bad, rules.map(({ line }) => line), doubtful.map(({ line }) => line)]).toEqual([[], [3], [2]])
  })

  it('but not below another host, which is passed over itself', () => {
    const { doubtful } = parseHeaders('https://a.example/*\n  Vary: Origin\n  X-A: 1')
    expect(doubtful.map(({ line }) => line)).toEqual([1])
  })

  it('and counts as one of the thousand', () => {
    expect(problemsOf(`/*\n${'Vary: x\n'.repeat(1_001)}`)).toEqual([
      '1002: at most 1000 headers are allowed; remove this one',
    ])
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
