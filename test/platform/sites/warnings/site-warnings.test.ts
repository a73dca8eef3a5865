/** What a deployment warns of, by its files and rules. */
import { describe, expect, it } from 'vitest'
import { warningText } from '../../../../src/lib/warning-text.ts'
import { parseHeaders } from '../../../../src/platform/sites/rules/headers.ts'
import { parseRedirects } from '../../../../src/platform/sites/rules/redirects.ts'
import { ruleWarnings } from '../../../../src/platform/sites/warnings/rule-warnings.ts'
import { siteWarnings } from '../../../../src/platform/sites/warnings/site-warnings.ts'

function warningsOf(paths: string[], { redirects = '', headers = '' } = {}): string[] {
  const numbered = { redirects: parseRedirects(redirects).rules, headers: parseHeaders(headers).rules }
  const rules = {
    redirects: numbered.redirects.map(({ rule }) => rule),
    headers: numbered.headers.map(({ rule }) => rule),
  }
  const all = new Set(paths)
  return [...ruleWarnings(numbered, all), ...siteWarnings(all, rules)].map(warningText)
}

describe('the first page', () => {
  it.each([
    [['index.html'], ''],
    [['a.html'], '/ /a'],
    [['a.html'], '/* /a 200'],
    [['a.html'], '/* https://example.com/:splat'],
  ])('is there: %j %s', (paths, redirects) => expect(warningsOf(paths, { redirects })).toEqual([]))

  it('is missing', () => {
    const message = 'The site has no index.html, so that its first page is 404'
    expect(warningsOf(['a.html'])).toEqual([message])
    expect(warningsOf(['a.html'], { redirects: '/a/* /a 200' })).toEqual([message])
    expect(warningsOf(['a/b/index.html'])).toEqual([message])
  })

  it('is in the only directory', () => {
    expect(warningsOf(['dist/index.html', 'dist/app.js'])).toEqual([
      'The site has no index.html, so that its first page is 404; ' +
        'dist/index.html is there: deploy its directory',
    ])
  })
})

describe('a file without effect', () => {
  it.each(['docs/_redirects', 'a/b/_headers'])('%s', (path) => {
    expect(warningsOf(['index.html', path])).toEqual([expect.stringContaining(`${path}: has no effect here`)])
  })

  it('.well-known/svc/enter', () => {
    expect(warningsOf(['index.html', '.well-known/svc/enter', '.well-known/security.txt'])).toEqual([
      ".well-known/svc/enter: is never served: /.well-known/svc/ is no site's on any host",
    ])
  })

  it.each(['netlify.toml', 'wrangler.toml', '_worker.js', '.htaccess'])('%s', (path) => {
    expect(warningsOf(['index.html', path, `docs/${path}`])).toEqual([
      expect.stringContaining(`${path}: has no effect: it is for `),
    ])
  })
})

describe('a rule without effect', () => {
  it.each([
    ['/a /b\n/a/ /c', 2, 'never applies: line 1 is for the same path'],
    ['/a /b 301!\n/a /c 301!', 2, 'never applies: line 1 is for the same path'],
    ['/:x /b\n\n/:x /c', 3, 'never applies: line 1'],
    ['/a /index.htm 200', 1, '/index.htm is no file of the site'],
    ['/b /nothing/ 404', 1, '/nothing/ is no file of the site'],
  ])('%j', (redirects, line, message) => {
    expect(warningsOf(['index.html'], { redirects })).toEqual([
      expect.stringContaining(`_redirects, line ${line}: ${message}`),
    ])
  })

  it.each([
    '/a /b\n/a /c 301!',
    '/:x /b\n/:y/z /c',
    '/a / 200',
    '/a /docs 200',
    '/a /docs/ 200',
    '/a /about 404',
    '/a/* /:splat 200',
  ])('is not: %j', (redirects) => {
    expect(warningsOf(['index.html', 'docs/index.html', 'about.html'], { redirects })).toEqual([])
  })
})

describe('a content coding', () => {
  const paths = ['index.html', 'Build/game.br', 'pre/a.html']

  it.each([
    ['/*\n  Content-Encoding: br', 'browsers will decode index.html, pre/a.html by br'],
    ['/pre/*\n  Content-Encoding: gzip', 'browsers will decode pre/a.html by gzip'],
  ])('of pages: %j', (headers, message) => {
    expect(warningsOf(paths, { headers })).toEqual([expect.stringContaining(`_headers, line 1: ${message}`)])
  })

  it.each(['/Build/*\n  Content-Encoding: br', '/*.br\n  Content-Encoding: br', '/*\n  X-A: 1'])(
    'of others: %j',
    (headers) => expect(warningsOf(paths, { headers })).toEqual([]),
  )
})
