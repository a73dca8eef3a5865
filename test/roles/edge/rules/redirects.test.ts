/** How a site's `_redirects` change its responses. */
import { describe, expect, it } from 'vitest'
import { parseRedirects } from '../../../../src/platform/sites/rules/redirects.ts'
import { createManifest } from '../../../../src/roles/edge/manifest.ts'
import { readHead } from '../../../../src/roles/edge/wire/request-head.ts'
import { parseTarget } from '../../../../src/roles/edge/wire/target.ts'
import { processorMsOf } from '../../../support/processor-ms.ts'
import { decideAnswer } from '../decide-answer.ts'

const names = ['index.html', 'about.html', 'docs/index.html', 'en/404.html', 'app.js', '_redirects']
const files = names.map((path) => ({ path, sha256: 'ab'.repeat(32), size: 1, object: path }))

type Options = { spa?: boolean; isProtected?: boolean; paths?: string[] }

/** The status, and the file or the URL for the request. */
function decideFor(
  rules: string,
  address: string,
  { spa = false, isProtected = false, paths }: Options = {},
) {
  const { rules: redirects, bad } = parseRedirects(rules)
  expect(bad).toEqual([])
  const all = paths ? paths.map((path) => ({ path, sha256: 'ab'.repeat(32), size: 1, object: path })) : files
  const manifest = createManifest(all, { redirects: redirects.map(({ rule }) => rule), headers: [] })
  const target = parseTarget(address)
  const head = readHead([])
  if (!target || typeof head === 'number') throw new Error('This is refused before.')
  const { answer, file } = decideAnswer({ method: 'GET', target, head }, { isProtected, spa }, manifest)
  const location = answer.headers[answer.headers.indexOf('Location') + 1]
  return [answer.status, answer.headers.includes('Location') ? location : file?.path]
}

describe('a redirect', () => {
  it.each([
    ['/old /new', '/old', 302, '/new'],
    ['/old /new 301', '/old/', 301, '/new'],
    ['/old /new 308', '/old?a=1&b', 308, '/new?a=1&b'],
    ['/old /new?c=2 307', '/old?a=1', 307, '/new?c=2'],
    ['/old /new? 307', '/old?a=1', 307, '/new?'],
    ['/old /new#x 303', '/old?a=1', 303, '/new?a=1#x'],
    ['/old /new?c#x', '/old', 302, '/new?c#x'],
    ['/old https://example.com', '/old?a', 302, 'https://example.com/?a'],
    ['/old https://example.com/x%2Fy', '/old', 302, 'https://example.com/x%2Fy'],
    ['/old /men\u00fc%20a', '/old', 302, '/men%C3%BC%20a'],
    ['/caf%C3%A9 /x', '/cafe%CC%81', 302, '/x'],
    ['/b/* /c/:splat', '/b/x/y', 302, '/c/x/y'],
    ['/b/* /c/:splat', '/b', 302, '/c/'],
    ['/b/* /c/:splat', '/b/x/', 302, '/c/x/'],
    ['/b/* /c/:splat', '/b/%3F%23%25%20%C3%A9', 302, '/c/%3F%23%25%20%C3%A9'],
    ['/b/* https://example.com/:splat', '/b/x%3Fy', 302, 'https://example.com/x%3Fy'],
    ['/b/* /c?u=:splat', '/b/x/y&z=1', 302, '/c?u=x%2Fy%26z%3D1'],
    ['/:y/:m/:n /:n-:m.html?y=:y', '/2026/11/x', 302, '/x-11.html?y=2026'],
    ['/ /en/ 301!', '/', 301, '/en/'],
    [
      '/web/* https://archive.example/:splat',
      '/web/2020/https://example.com/',
      302,
      'https://archive.example/2020/https://example.com/',
    ],
    ['/web/* https://archive.example/:splat', '/web//a//', 302, 'https://archive.example//a//'],
    [
      '/ext/* https://other.example/x/:splat 308',
      '/ext/group%2Fname/issues',
      308,
      'https://other.example/x/group%2Fname/issues',
    ],
    ['/ext/* https://other.example/x/:splat', '/ext/a%2Bb%26c%2fd', 302, 'https://other.example/x/a+b&c%2Fd'],
    ['/p/:name/* /q/:splat/:name', '/p/group%2Fname/x', 302, '/q/x/group%2Fname'],
    ['/u/* /c?u=:splat#:splat', '/u/a%2Fb/c', 302, '/c?u=a%2Fb%2Fc#a%2Fb%2Fc'],
    ['/u/* /v/:splat', '/u/%2500', 302, '/v/%2500'],
  ])('%s: %s', (rules, address, status, location) => {
    expect(decideFor(rules, address)).toEqual([status, location])
  })
})

describe('a rewrite', () => {
  it.each([
    ['/* /index.html 200', '/open/https%3A%2F%2Fexample.com', 200, 'index.html'],
    ['/* /index.html 200', '/a//b', 200, 'index.html'],
    ['/* /index.html 200', '//about', 200, 'index.html'],
    ['/x/* /:splat 200', '/x/docs%2Findex.html', 200, 'docs/index.html'],
    ['/* /index.html 200', '/any/thing', 200, 'index.html'],
    ['/* / 200', '/any/thing', 200, 'index.html'],
    ['/a /about 200', '/a', 200, 'about.html'],
    ['/a /about/ 200', '/a', 200, 'about.html'],
    ['/a /docs 200', '/a/', 200, 'docs/index.html'],
    ['/en/* /en/404.html 404', '/en/x', 404, 'en/404.html'],
    ['/x/:name /:name 200', '/x/about', 200, 'about.html'],
    ['/x/* /:splat/index.html 200', '/x', 200, 'index.html'],
    ['/x/* /:splat 200', '/x/about/', 200, 'about.html'],
    ['/a /b 200\n/b /about 200', '/a', 404, undefined],
    ['/a /nothing 404', '/a', 404, undefined],
    ['/a /_redirects 200', '/a', 404, undefined],
  ])('%s: %s', (rules, address, status, file) => {
    expect(decideFor(rules, address)).toEqual([status, file])
  })
})

describe('a file', () => {
  it.each([
    ['/about', 'about.html'],
    ['/app.js', 'app.js'],
    ['/', 'index.html'],
    ['/docs/', 'docs/index.html'],
  ])('%s comes before rules', (address, file) => {
    expect(decideFor('/* /elsewhere 301', address)).toEqual([200, file])
  })

  it('still has one URL', () => {
    expect(decideFor('/* /elsewhere 301', '/docs')).toEqual([308, '/docs/'])
  })

  it('comes after rules with !', () => {
    expect(decideFor('/about /x 301!', '/about')).toEqual([301, '/x'])
    expect(decideFor('/docs /x 301!', '/docs')).toEqual([301, '/x'])
    expect(decideFor('/* /about 200!', '/app.js')).toEqual([200, 'about.html'])
    expect(decideFor('/about /x 301\n/about /y 302!', '/about')).toEqual([302, '/y'])
  })

  it('of rules is not served', () => {
    expect(decideFor('/a /b', '/_redirects')).toEqual([404, undefined])
    expect(decideFor('/a /b', '/_redirects', { spa: true })).toEqual([200, 'index.html'])
    expect(decideFor('/_redirects /b', '/_redirects')).toEqual([302, '/b'])
  })
})

describe('the first rule for a path applies', () => {
  it.each([
    ['/a/x /1\n/a/* /2\n/a/x /3', '/a/x', '/1'],
    ['/a/* /2\n/a/x /1', '/a/x', '/2'],
    ['/b/* /2\n/a/x /1\n/a/x /3', '/a/x', '/1'],
    ['/a/:b /1\n/a/* /2', '/a/x/y', '/2'],
  ])('%j: %s', (rules, address, location) => expect(decideFor(rules, address)).toEqual([302, location]))

  it('but before spa and 404.html', () => {
    expect(decideFor('/a /b', '/a', { spa: true })).toEqual([302, '/b'])
    expect(decideFor('/a /b', '/c', { spa: true })).toEqual([200, 'index.html'])
    expect(decideFor('/a /b', '/c', { paths: ['404.html'] })).toEqual([404, '404.html'])
  })
})

describe('redirects never loop', () => {
  it.each([
    ['/* /about 302!', '/about', 200, 'about.html'],
    ['/* /about 302!', '/x', 302, '/about'],
    ['/a /a/', '/a/', 404, undefined],
    ['/a /a/\n/a/* /about 200', '/a/', 200, 'about.html'],
    ['/* /x?a=b', '/x', 404, undefined],
    ['/* /caf%C3%A9', '/cafe%CC%81', 404, undefined],
  ])('%j: %s', (rules, address, status, found) => expect(decideFor(rules, address)).toEqual([status, found]))
})

describe('redirects never lead to a host that no rule names', () => {
  it.each([
    ['/a/* /:splat', '/a//evil.example', '/evil.example'],
    ['/a/* /:splat', '/a///evil.example', '/evil.example'],
    ['/a/* /:splat', '/a/%2fevil.example', '/%2Fevil.example'],
    ['/a/* /:splat', '/a/%2f%2fevil.example', '/%2F%2Fevil.example'],
    ['/* /x/:splat', '//evil.example', '/x//evil.example'],
    ['/* /:splat/x', '//evil.example', '/evil.example/x'],
    ['/*/b /:splat', '//evil.example/b', '/evil.example'],
    ['/:a/* /:splat', '/x//evil.example/%2e%2e%2e', '/evil.example/...'],
  ])('%s: %s', (rules, address, location) => {
    expect(decideFor(rules, address)).toEqual([302, location])
    expect(new URL(location, 'https://site.example').host).toBe('site.example')
  })

  it('when a splat is empty', () => {
    expect(decideFor('/a/:b/* /:splat/:b', '/a/evil.example/')).toEqual([302, '/evil.example'])
    expect(decideFor('/a/:b/* /:splat/:b 301!', '/a/evil.example')).toEqual([301, '/evil.example'])
  })

  it('and keep a host that a rule names', () => {
    const rule = '/a/* https://good.example/:splat'
    expect(decideFor(rule, '/a/@evil.example')).toEqual([302, 'https://good.example/@evil.example'])
    expect(decideFor(rule, '/a')).toEqual([302, 'https://good.example/'])
  })
})

it('the secret of a protected site is never passed on', () => {
  const rule = '/a https://example.com/'
  for (const isProtected of [false, true]) {
    expect(decideFor(rule, '/a?x-svc-bypass=s&b=1', { isProtected })).toEqual([
      302,
      'https://example.com/?b=1',
    ])
    expect(decideFor(rule, '/a?x%2Dsvc-bypass=s', { isProtected })).toEqual([302, 'https://example.com/'])
  }
})

it('a URL that would be too long is ignored', () => {
  const rule = `/a/* /b${'/:splat'.repeat(100)}`
  expect(decideFor(rule, `/a/${'x'.repeat(50)}`)[0]).toBe(302)
  expect(decideFor(rule, `/a/${'x'.repeat(8_000)}`)).toEqual([404, undefined])
})

it('a hundred rules and a long path take well under a millisecond', () => {
  const lines = Array.from({ length: 100 }, (_, i) => `/:a/:b/*/x${i} /c/:a/:splat`)
  const { rules: redirects } = parseRedirects(lines.join('\n'))
  const { redirects: found } = createManifest([], {
    redirects: redirects.map(({ rule }) => rule),
    headers: [],
  })
  const path = `${'a/'.repeat(4_000)}b`
  const spentMs = processorMsOf(() => {
    for (let round = 0; round < 200; round += 1) expect(found?.find(path)).toBeUndefined()
  })
  expect(spentMs / 200).toBeLessThan(1)
})
