/** How a site's `_headers` change its responses. */
import { describe, expect, it } from 'vitest'
import { parseHeaders } from '../../../../src/platform/sites/rules/headers.ts'
import { parseRedirects } from '../../../../src/platform/sites/rules/redirects.ts'
import { createManifest } from '../../../../src/roles/edge/manifest.ts'
import { readHead } from '../../../../src/roles/edge/wire/request-head.ts'
import { parseTarget } from '../../../../src/roles/edge/wire/target.ts'
import { processorMsOf } from '../../../support/processor-ms.ts'
import { decideAnswer } from '../decide-answer.ts'

const files = ['index.html', 'about.html', 'app-1a2b3c4d.js', '404.html', 'docs/index.html', '_headers'].map(
  (path) => ({ path, sha256: 'ab'.repeat(32), size: 100, object: path }),
)

type Options = { fields?: string[]; isProtected?: boolean; redirects?: string }

function decideFor(
  rules: string,
  address: string,
  { fields = [], isProtected = false, redirects = '' }: Options = {},
) {
  const { rules: headers, bad } = parseHeaders(rules)
  expect(bad).toEqual([])
  const manifest = createManifest(files, {
    redirects: parseRedirects(redirects).rules.map(({ rule }) => rule),
    headers: headers.map(({ rule }) => rule),
  })
  const target = parseTarget(address)
  const head = readHead(fields)
  if (!target || typeof head === 'number') throw new Error('This is refused before.')
  const { answer } = decideAnswer({ method: 'GET', target, head }, { isProtected, spa: false }, manifest)
  const pairs = answer.headers.flatMap((name, i) => (i % 2 ? [] : [[name, answer.headers[i + 1] ?? '']]))
  expect(new Set(pairs.map(([name]) => name?.toLowerCase())).size).toBe(pairs.length)
  return { status: answer.status, headers: Object.fromEntries(pairs) as Record<string, string> }
}

describe('a page in place of a file that is not there', () => {
  const redirects = '/* /index.html 200'
  const immutable = 'public, max-age=31536000, immutable'
  const assets = `/assets/*\n Cache-Control: ${immutable}\n CDN-Cache-Control: max-age=9\n X-A: 1`

  it('takes no caching headers that are for the file alone, and is revalidated', () => {
    const { status, headers } = decideFor(assets, '/assets/index-OLDhash1.js', { redirects })
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: { 'Cache-Control': 'no-cache', 'Content-Type': 'text/html; charset=utf-8', 'X-A': '1' },
    })
    expect(headers).not.toHaveProperty('CDN-Cache-Control')
  })

  it('is revalidated without any rule, too', () => {
    expect(decideFor('', '/users/7', { redirects }).headers).toMatchObject({ 'Cache-Control': 'no-cache' })
    expect(decideFor('', '/', { redirects }).headers['Cache-Control']).toBe(
      'public, max-age=0, must-revalidate',
    )
  })

  it.each(['/*', '/index.html', '/:page', '/'])('keeps those that %s has for the page, too', (at) => {
    const rules = `/*\n X-B: 2\n${at}\n Cache-Control: max-age=9`
    const isForBoth = at === '/*'
    expect(decideFor(rules, '/assets/old.js', { redirects }).headers['Cache-Control']).toBe(
      isForBoth ? 'max-age=9' : 'no-cache',
    )
  })

  it('can not have the way of caching taken away by a rule for the file alone', () => {
    const { headers } = decideFor('/assets/*\n ! Cache-Control', '/assets/old.js', { redirects })
    expect(headers['Cache-Control']).toBe('no-cache')
  })

  it('leaves files that are there, other types of files, and private sites as they are', () => {
    const rules = `/*.js\n Cache-Control: ${immutable}\n${assets}`
    expect(decideFor(rules, '/app-1a2b3c4d.js', { redirects }).headers['Cache-Control']).toBe(immutable)
    const script = { redirects: '/assets/* /app-1a2b3c4d.js 200' }
    expect(decideFor(assets, '/assets/old.js', script).headers['Cache-Control']).toBe(immutable)
    const isPrivate = decideFor(assets, '/assets/old.js', { redirects, isProtected: true })
    expect(isPrivate.headers['Cache-Control']).toBe('private, no-store')
  })
})

describe('a response', () => {
  it('gets the headers for its path, beside its own', () => {
    const { status, headers } = decideFor('/*\n X-A: 1\n/about\n X-B: 2\n/docs/*\n X-C: 3', '/about')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'X-A': '1',
      'X-B': '2',
      'Content-Length': '100',
      ETag: expect.anything(),
    })
    expect(headers).not.toHaveProperty('X-C')
  })

  it('gets a header of several rules as one list', () => {
    const rules = '/*\n X-Robots-Tag: noindex\n/about/\n x-robots-tag: nofollow\n x-robots-tag: none'
    expect(decideFor(rules, '/about').headers['x-robots-tag']).toBe('noindex, nofollow, none')
  })

  it('loses headers that a rule removes, also the server’s own', () => {
    const rules = '/*\n X-A: 1\n X-B: 1\n/about\n ! x-a\n ! X-Content-Type-Options'
    const { headers } = decideFor(rules, '/about')
    expect(headers).not.toHaveProperty('X-A')
    expect(headers).not.toHaveProperty('X-Content-Type-Options')
    expect(headers).toHaveProperty('X-B')
    expect(decideFor('/*\n X-A: 1\n/about\n ! X-A\n X-A: 2', '/about').headers['X-A']).toBe('2')
  })

  it('has the type and the cache lifetime of the rules', () => {
    const rules = '/*\n cache-control: max-age=5\n Content-Type: application/xhtml+xml'
    const { headers } = decideFor(rules, '/about')
    expect(headers).toMatchObject({ 'cache-control': 'max-age=5', 'Content-Type': 'application/xhtml+xml' })
    expect(headers).not.toHaveProperty('Cache-Control')
  })

  it('has the values of placeholders, with special characters escaped', () => {
    const rules = '/*\n Link: <https://example.com/:splat>; rel="canonical"; x=":nothing"'
    expect(decideFor(rules, '/a>;,b%22%20%C3%A9/c').headers.Link).toBe(
      '<https://example.com/a%3E%3B%2Cb%22%20%C3%A9/c>; rel="canonical"; x=":nothing"',
    )
    expect(decideFor('/*\n X-A: :splat:splat', `/${'x'.repeat(1_001)}`).headers).not.toHaveProperty('X-A')
  })

  it('gets them for the requested path, also where a rewrite serves another', () => {
    const rules = '/app/*\n X-A: 1\n/about\n X-B: 2'
    const { status, headers } = decideFor(rules, '/app/x', { redirects: '/app/* /about 200' })
    expect(status).toBe(200)
    expect(headers).toHaveProperty('X-A')
    expect(headers).not.toHaveProperty('X-B')
  })
})

describe('with another status', () => {
  const rules = '/*\n X-A: 1\n Content-Type: text/x\n Cache-Control: max-age=5'

  it('206 has them', () => {
    const { status, headers } = decideFor(rules, '/', { fields: ['Range', 'bytes=0-1'] })
    expect(status).toBe(206)
    expect(headers).toMatchObject({ 'X-A': '1', 'Content-Type': 'text/x', 'Cache-Control': 'max-age=5' })
  })

  it('a multipart 206 keeps its type', () => {
    const { status, headers } = decideFor(rules, '/', { fields: ['Range', 'bytes=0-1,5-6'] })
    expect(status).toBe(206)
    expect(headers['Content-Type']).toMatch(/^multipart\/byteranges/)
    expect(headers['X-A']).toBe('1')
  })

  it('304 has them, except for the type', () => {
    const { status, headers } = decideFor(rules, '/', { fields: ['If-None-Match', '*'] })
    expect({ status, headers }).toEqual({
      status: 304,
      headers: { ETag: expect.anything(), Vary: 'Accept-Encoding', 'X-A': '1', 'Cache-Control': 'max-age=5' },
    })
  })

  it('the 404 page has them, but is not cached and has its own type', () => {
    const { status, headers } = decideFor(`${rules}\n Expires: 0\n CDN-Cache-Control: max-age=9`, '/no.js')
    expect({ status, headers }).toEqual({
      status: 404,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'Content-Length': '100',
        'Cache-Control': 'public, max-age=0, must-revalidate',
        Vary: 'Accept-Encoding',
        'X-A': '1',
      },
    })
  })

  it('redirects, 412 and 416 have none', () => {
    expect(decideFor(rules, '/docs').headers).not.toHaveProperty('X-A')
    expect(decideFor(rules, '/x', { redirects: '/x /y' }).headers).not.toHaveProperty('X-A')
    expect(decideFor(rules, '/', { fields: ['If-Match', '"x"'] }).headers).not.toHaveProperty('X-A')
    expect(decideFor(rules, '/', { fields: ['Range', 'bytes=100-'] }).headers).not.toHaveProperty('X-A')
  })
})

it('a protected site stays private to shared caches', () => {
  const caching = [
    'Cache-Control',
    'CDN-Cache-Control',
    'Surrogate-Control',
    'Expires',
    'Edge-Control',
    'Pragma',
  ]
  const set = `/*\n${caching.map((name) => ` ${name}: public, max-age=9\n`).join('')} X-A: 1`
  for (const rules of [set, '/*\n ! Cache-Control\n X-A: 1']) {
    for (const fields of [[], ['If-None-Match', '*'], ['Range', 'bytes=0-1']]) {
      const { headers } = decideFor(rules, '/app-1a2b3c4d.js', { isProtected: true, fields })
      expect(headers['Cache-Control']).toBe('private, no-store')
      expect(headers['X-A']).toBe('1')
      expect(JSON.stringify(headers)).not.toContain('max-age')
    }
  }
})

it('one request’s headers never affect the next one’s', () => {
  const { rules: headers } = parseHeaders('/*\n Cache-Control: max-age=5\n X-A: 1\n/about\n X-B: :splat')
  const manifest = createManifest(files, { redirects: [], headers: headers.map(({ rule }) => rule) })
  const answer = (address: string, isProtected: boolean) => {
    const target = parseTarget(address)
    const head = readHead([])
    if (!target || typeof head === 'number') throw new Error('This is refused before.')
    const decided = decideAnswer({ method: 'GET', target, head }, { isProtected, spa: false }, manifest)
    return decided.answer.headers.join(' ')
  }
  for (let round = 0; round < 2; round += 1) {
    expect(answer('/', false)).toContain('Cache-Control max-age=5 X-A 1')
    expect(answer('/nothing', false)).toContain('Cache-Control public, max-age=0')
    expect(answer('/', true)).toContain('Cache-Control private, no-store')
    expect(answer('/about', false)).toContain('X-B')
    expect(answer('/', false)).not.toContain('X-B')
  }
})

it('a response has no more headers than clients accept, whatever a visitor sends', () => {
  const rules = `/*\n${Array.from({ length: 900 }, (_, i) => ` X-${i}: ${':splat'.repeat(150)}\n`).join('')}`
  for (const path of ['/aaaaaaaaaaaa', `/${'%C3%A9'.repeat(2_000)}`]) {
    const spentMs = processorMsOf(() => {
      const { status, headers } = decideFor(rules, path)
      expect(status).toBe(404)
      expect(JSON.stringify(headers).length).toBeLessThan(40_000)
    })
    expect(spentMs).toBeLessThan(500)
  }
})
