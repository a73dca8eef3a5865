/** What answers a request of a site with a server: a rule, a file by its exact path, or the server. */
import { describe, expect, it } from 'vitest'
import { parseRedirects } from '../../../src/platform/sites/rules/redirects.ts'
import { resolveRequest } from '../../../src/roles/edge/resolve-request.ts'
import { createRedirects } from '../../../src/roles/edge/rules/redirects.ts'
import type { ReadRequest } from '../../../src/roles/edge/wire/read-request.ts'
import { parseTarget } from '../../../src/roles/edge/wire/target.ts'

const files = new Set(['index.html', '404.html', 'about.html', 'docs/index.html', 'a b.txt', 'caf\u00e9.txt'])
const server = { target: 'production' } as const

function resolve(address: string, { method = 'GET' as ReadRequest['method'], rules = '', spa = false } = {}) {
  const target = parseTarget(address) ?? expect.unreachable(address)
  const redirects = createRedirects(parseRedirects(rules).rules.map(({ rule }) => rule))
  return resolveRequest({ method, target }, (path) => files.has(path), { spa, server }, { redirects })
}

const file = (path: string) => ({ kind: 'file', path })
const toServer = { kind: 'server' }

describe('a file answers by its exact path', () => {
  it.each([
    ['/index.html', file('index.html')],
    ['/404.html', file('404.html')],
    ['/docs/index.html', file('docs/index.html')],
    ['/a%20b.txt', file('a b.txt')],
    ['/caf%C3%A9.txt', file('caf\u00e9.txt')],
    // The same name in another form of Unicode.
    ['/cafe%CC%81.txt', toServer],
    ['/', toServer],
    ['/index', toServer],
    ['/about', toServer],
    ['/about/', toServer],
    ['/docs', toServer],
    ['/docs/', toServer],
    ['/docs%2Findex.html', toServer],
    ['//about.html', toServer],
    ['/ABOUT.html', toServer],
    ['/missing.js', toServer],
  ])('%s', (path, expected) => {
    expect(resolve(path)).toEqual(expected)
    expect(resolve(path, { spa: true })).toEqual(expected)
    expect(resolve(path, { method: 'HEAD' })).toEqual(expected)
  })

  it.each(['OPTIONS', 'other'] as const)('and never to %s', (method) =>
    expect(resolve('/index.html', { method })).toEqual(toServer),
  )
})

describe('a rule', () => {
  const away = { kind: 'leave', status: 301 }

  it('that is forced comes before files, another one behind them', () => {
    expect(resolve('/about.html', { rules: '/* /there 301!' })).toMatchObject(away)
    expect(resolve('/about.html', { rules: '/* /there 301' })).toEqual(file('about.html'))
    expect(resolve('/about', { rules: '/* /there 301' })).toMatchObject(away)
  })

  it.each(['GET', 'OPTIONS', 'other'] as const)('that leads away does for %s', (method) => {
    expect(resolve('/x', { method, rules: '/x /there 301' })).toMatchObject(away)
    expect(resolve('/x', { method, rules: '/x https://a.example/ 200' })).toMatchObject({ kind: 'pass' })
    expect(resolve('/x', { method, rules: '/x /404.html 404' })).toMatchObject({ kind: 'missing' })
  })

  it('that leads to a file answers reads, and one that leads to none is as if it weren’t there', () => {
    const rules = '/x /about 200\n/y /none 200\n/z /none 200!'
    expect(resolve('/x', { rules })).toEqual({ ...file('about.html'), standsIn: true })
    expect(resolve('/x', { rules, method: 'other' })).toEqual(toServer)
    expect([resolve('/y', { rules }), resolve('/z', { rules })]).toEqual([toServer, toServer])
  })
})
