/** What a `_redirects` file may contain, and the errors for the rest. */
import { describe, expect, it } from 'vitest'
import { parseRedirects } from '../../../../src/platform/sites/rules/redirects.ts'
import { processorMsOf } from '../../../support/processor-ms.ts'

const splat = { name: 'splat' }

/** The only rule of a text. */
function ruleOf(text: string) {
  const { rules, bad } = parseRedirects(text)
  expect(bad).toEqual([])
  expect(rules).toHaveLength(1)
  return rules[0]?.rule
}

function problemsOf(text: string): string[] {
  return parseRedirects(text).bad.map(({ line, problem }) => `${line}: ${problem}`)
}

const to = (path: string, more = {}) => ({
  origin: '',
  path: path === '' ? [] : [path],
  query: [],
  fragment: [],
  ...more,
})

describe('a rule', () => {
  it.each<[string, ReturnType<typeof ruleOf>]>([
    ['/old /new', { from: ['old'], to: to('new'), status: 302, forced: false }],
    ['/old /new 301', { from: ['old'], to: to('new'), status: 301, forced: false }],
    ['/old\t \t/new  308! # why', { from: ['old'], to: to('new'), status: 308, forced: true }],
    ['/old / # home', { from: ['old'], to: to(''), status: 302, forced: false }],
    ['/ /en/', { from: [], to: to('en/'), status: 302, forced: false }],
    ['/old/ /new/ 303', { from: ['old'], to: to('new/'), status: 303, forced: false }],
    [
      '/a /b?x=1&y=2#top 307',
      { from: ['a'], to: to('b', { query: ['?x=1&y=2'], fragment: ['#top'] }), status: 307, forced: false },
    ],
    ['/* /index.html 200', { from: [splat], to: to('index.html'), status: 200, forced: false }],
    ['/en/* /en/404.html 404', { from: ['en/', splat], to: to('en/404.html'), status: 404, forced: false }],
    [
      '/blog/:year/:slug/* /:slug-:year/:splat 301',
      {
        from: ['blog/', { name: 'year' }, '/', { name: 'slug' }, '/', splat],
        to: to('', { path: [{ name: 'slug' }, '-', { name: 'year' }, '/', splat] }),
        status: 301,
        forced: false,
      },
    ],
    ['/*.php /:splat', { from: [splat, '.php'], to: to('', { path: [splat] }), status: 302, forced: false }],
    [
      '/api/* https://API.example.com:8443/v1/:splat?x=1 200!',
      {
        from: ['api/', splat],
        to: { origin: 'https://api.example.com:8443', path: ['v1/', splat], query: ['?x=1'], fragment: [] },
        status: 200,
        forced: true,
      },
    ],
    [
      '/shop/:id /items?id=:id 301',
      {
        from: ['shop/', { name: 'id' }],
        to: to('items', { query: ['?id=', { name: 'id' }] }),
        status: 301,
        forced: false,
      },
    ],
    [
      '/b/* https://Blog.Example.com:443/x%2Fy/:splat?a=b 301',
      {
        from: ['b/', splat],
        to: { origin: 'https://blog.example.com', path: ['x%2Fy/', splat], query: ['?a=b'], fragment: [] },
        status: 301,
        forced: false,
      },
    ],
    [
      '/t http://example.com',
      {
        from: ['t'],
        to: { origin: 'http://example.com', path: [], query: [], fragment: [] },
        status: 302,
        forced: false,
      },
    ],
    ['/caf%C3%A9 /men\u00fc', { from: ['café'], to: to('menü'), status: 302, forced: false }],
    ['/cafe\u0301 /x', { from: ['café'], to: to('x'), status: 302, forced: false }],
    ['/a%20b%3Ac%2A /x', { from: ['a b:c*'], to: to('x'), status: 302, forced: false }],
    ['/a%2fb /x', { from: ['a/b'], to: to('x'), status: 302, forced: false }],
    [
      '/movies/:title.html /m/:title 301',
      {
        from: ['movies/', { name: 'title' }, '.html'],
        to: to('', { path: ['m/', { name: 'title' }] }),
        status: 301,
        forced: false,
      },
    ],
    [
      '/@:user /u/:user',
      {
        from: ['@', { name: 'user' }],
        to: to('', { path: ['u/', { name: 'user' }] }),
        status: 302,
        forced: false,
      },
    ],
    ['/a /a 200', { from: ['a'], to: to('a'), status: 200, forced: false }],
    ['/a /a/ 301', { from: ['a'], to: to('a/'), status: 301, forced: false }],
  ])('%j', (text, rule) => expect(ruleOf(text)).toEqual(rule))
})

it('blank lines, comments, a byte order mark and CRLF are ignored', () => {
  const { rules, bad } = parseRedirects('# all of it\r\n\r\n  /a /b 301  \r\n\t\r\n#/c /d\r\n/e /f')
  expect(bad).toEqual([])
  expect(rules.map(({ rule }) => rule.from)).toEqual([['a'], ['e']])
})

describe('a rule of another host is passed over, and named', () => {
  it.each([
    'https://www.example.com/* https://example.com/:splat 301!',
    'http://blog.example.com/a /b',
    'HTTPS://:project.pages.dev/* /x 410',
    'https://old.example/x',
  ])('%s', (text) => {
    const { rules, bad, doubtful } = parseRedirects(`/a /b\n${text}\n/c /d`)
    expect(rules.map(({ line }) => line)).toEqual([1, 3])
    expect(bad).toEqual([])
    expect(doubtful).toEqual([{ line: 2, message: expect.stringContaining('is passed over') }])
  })
})

describe('an invalid line is reported with its number and a suggestion', () => {
  it.each([
    ['/only', '1: a rule is from, to and, optionally, a status'],
    ['/a #b', '1: a rule is from, to'],
    ['a /b', '1: a path begins with /, unlike a'],
    ['/a b', '1: b must begin with / for a path, or with http:// or https://'],
    ['\n/a /b 418', '2: a status is one of 200, 301, 302, 303, 307, 308, 404'],
    ['/a /b 0200', '1: a status is one of'],
    ['/a /b !', '1: a status is one of'],
    ['/a /b 301 302', '1: remove 302'],
    ['/a /b 302 Country=us', '1: conditions such as Country'],
    ['/a /b Language=de', '1: conditions such as Country'],
    ['/store id=:id /blog/:id 301', '1: matching by query is not supported: remove id=:id'],
    ['/store?id=1 /blog', '1: matching by query is not supported'],
    ['/a#b /c', '1: a fragment is never sent'],
    ['//a.example/* /b', '1: a path has no empty segments'],
    ['/a//b /c', '1: a path has no empty segments'],
    ['/a%2f%2fb /c', '1: a path has no empty segments'],
    ['/a/../b /c', '1: a path has no . or .. segments'],
    ['/%2e%2e/b /c', '1: a path has no . or .. segments'],
    ['/a\\b /c', '1: a path has no control characters and no backslashes'],
    ['/a%5cb /c', '1: a path has no control characters and no backslashes'],
    ['/a%00 /c', '1: a path has no control characters'],
    ['/a%0d%0aX:1 /c', '1: a path has no control characters'],
    ['/a%zz /c', '1: a%zz is no valid percent-encoding'],
    ['/a%ff /c', '1: a%ff is no valid percent-encoding'],
    ['/a\u0000 /b', '1: has a control character'],
    ['/a\r/b /c', '1: has a control character'],
    ['/*/* /c', '1: a path may have one *'],
    ['/a*b*c /c', '1: a path may have one *'],
    ['/:splat/* /c', '1: a path may have one *, and no placeholder named :splat'],
    ['/:splat /c', '1: a path may have one *, and no placeholder named :splat'],
    ['/:a/:a /c', '1: :a is duplicated'],
    ['/:a-:b /c', '1: a segment has one placeholder or *, unlike :a-:b'],
    ['/:a.* /c', '1: a segment has one placeholder or *'],
    ['/*-:a /c', '1: a segment has one placeholder or *'],
    ['/%zz:a /c', '1: %zz is no valid percent-encoding'],
    ['/:a%zz /c', '1: %zz is no valid percent-encoding'],
    ['/:a/:b /:c', '1: :c is no placeholder of the path before it'],
    ['/a /b?x=:c', '1: :c is no placeholder'],
    ['/* /b/*', '1: use :splat for the value of *'],
    ['/a https://example.com/b#c 200', '1: a request has no fragment: remove the #'],
    ['/a http://example.com:25/b 200', '1: requests are passed on to the ports 80, 443 and those from 1024'],
    ['/a https://example.com/b 404', '1: a 404 is answered with a page of this site'],
    ['/a https://example.com/b 404', '1: a 404 is answered with a page of this site'],
    ['/a /b?c 200', '1: a rewrite serves a file: remove the ?'],
    ['/a /b#c 404', '1: a rewrite serves a file: remove the ?'],
    ['/a //evil.example', '1: write https: before //evil.example'],
    ['/a /\\evil.example', '1: use / in a URL, not a backslash'],
    ['/a /%5cevil.example', '1: a path has no control characters and no backslashes'],
    ['/a /%2fevil.example', '1: a path has no empty segments'],
    ['/a /%0d%0aSet-Cookie:1', '1: a path has no control characters'],
    ['/a javascript:alert(1)', '1: javascript:alert(1) must begin with /'],
    ['/a data:text/html,x', '1: data:text/html,x must begin with /'],
    ['/a ftp://example.com/', '1: ftp://example.com/ must begin with /'],
    ['/a https://', '1: https:// is no URL with a host'],
    ['/a https:///evil', '1: https:// is no URL with a host'],
    ['/a https://good@evil.example/', '1: a URL must not contain a user name'],
    ['/:host https://:host/', '1: https://:host is no URL with a host'],
    ['/* https://good.example:splat', '1: https://good.example:splat is no URL'],
    ['/a /a', '1: this redirects to itself'],
    ['/a/ /a/ 301!', '1: this redirects to itself'],
    ['/ / 301', '1: this redirects to itself'],
    ['/a /a?b=c 301', '1: this redirects to itself'],
    ['/%61 /a 301', '1: this redirects to itself'],
    ['/* /:splat 301', '1: this redirects to itself'],
    ['/a/:b/* /a/:b/:splat', '1: this redirects to itself'],
    ['/a /a/ 301!', "1: a file's name decides whether its path ends with a slash"],
  ])('%j', (text, problem) => expect(problemsOf(text).join('\n')).toContain(problem))

  it('the first fifty of a hundred invalid lines are reported', () => {
    const found = problemsOf('/a\n'.repeat(100))
    expect(found).toHaveLength(50)
    expect(found[49]).toMatch(/^50: /)
  })

  it('a line is quoted, but only its beginning if it is long', () => {
    expect(problemsOf(`/a x${'y'.repeat(900)}`).join().length).toBeLessThan(300)
  })
})

describe('limits', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')
  const fixed = (index: number) => `/a${index} /b`
  const dynamic = (index: number) => `/a${index}/* /b`

  it('2,000 rules without placeholders and 100 with', () => {
    const text = `${lines(2_000, fixed)}\n${lines(100, dynamic)}`
    expect(problemsOf(text)).toEqual([])
    expect(problemsOf(`${text}\n/c /d\n/e/:f /g`)).toEqual([
      '2101: at most 2000 rules without placeholders or * are allowed; remove this one',
      '2102: at most 100 rules with placeholders or * are allowed; remove this one',
    ])
  })

  it('2,000 characters a line', () => {
    expect(problemsOf(`/a /${'b'.repeat(1_996)}`)).toEqual([])
    expect(problemsOf(`/a /${'b'.repeat(1_997)}`)).toEqual(['1: has 2001 characters; write at most 2000'])
  })
})

it('any file is parsed or refused, quickly', () => {
  let seed = 20_261_121
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const pieces = [
    '/',
    '*',
    ':a',
    ':splat',
    ' ',
    '%2f',
    '%',
    '\\',
    '?',
    '#',
    'http://',
    'x',
    'é',
    '301',
    '!',
    '\n',
  ]
  const spentMs = processorMsOf(() => {
    for (let round = 0; round < 2_000; round += 1) {
      const text = Array.from({ length: random(60) }, () => pieces[random(pieces.length)]).join('')
      const { rules, bad } = parseRedirects(text)
      for (const { rule } of rules) {
        const { origin, path } = rule.to
        expect(origin).toMatch(/^(?:http:\/\/[^/@]+)?$/)
        expect(JSON.stringify(path)).not.toMatch(/\\\\|^\["\//)
      }
      for (const { problem } of bad) expect(problem.length).toBeLessThan(300)
    }
  })
  expect(spentMs).toBeLessThan(5_000)
})
