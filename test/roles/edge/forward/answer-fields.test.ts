/** What a visitor gets of the header of an answer from elsewhere. */
import { describe, expect, it } from 'vitest'
import { answerFields } from '../../../../src/roles/edge/forward/answer-fields.ts'

const options = { namesOfOthers: ['sites.example'], isProtected: false, added: [] }

it('fields stay as they came, cookies one by one', () => {
  const raw = ['Set-Cookie', 'a=1', 'X-B', '1', 'set-cookie', 'b=2; Path=/', 'Date', 'x', 'Server', 'nginx']
  expect(answerFields(raw, options).flat()).toEqual(raw)
})

it.each([
  ['Connection', 'keep-alive'],
  ['Keep-Alive', 'timeout=5'],
  ['Transfer-Encoding', 'chunked'],
  ['Trailer', 'X-A'],
  ['Upgrade', 'h2c'],
  ['Proxy-Authenticate', 'Basic'],
  ['Alt-Svc', 'h3=":443"'],
  ['X-Accel-Redirect', '/etc/passwd'],
  ['X-Sendfile', '/etc/passwd'],
  ['X-Svc-Anything', '1'],
])('%s stays here', (name, value) => expect(answerFields([name, value], options)).toEqual([]))

it('what Connection names stays here', () => {
  expect(answerFields(['X-A', '1', 'Connection', 'x-a'], options)).toEqual([])
})

it.each([
  ['svc_visit=1', false],
  ['__Host-svc_nonce=1; Secure', false],
  ['svc.session_token=', false],
  ['a=1; Domain=sites.example', false],
  ['a=1; domain = .Sites.Example', false],
  ['a=1; Domain=example', false],
  ['a=1; Domain=web.sites.example', true],
  ['a=1; Domain=a.example; Domain=sites.example', false],
  ['a=1; Domain=', true],
  ['a=1; Path=/; HttpOnly', true],
  ['svcx=1', true],
])('Set-Cookie: %s: %s', (value, goes) => {
  expect(answerFields(['Set-Cookie', value], options)).toHaveLength(goes ? 1 : 0)
})

it('a cookie for a domain is for its names below, too', () => {
  const namesOfOthers = ['sites.example', 'www.example.com']
  const kept = ['a=1; Domain=www.example.com', 'a=1; Domain=example.com', 'a=1'].map(
    (value) => answerFields(['Set-Cookie', value], { ...options, namesOfOthers }).length,
  )
  expect(kept).toEqual([0, 0, 1])
})

it.each([
  [['Set-Cookie', 'svc_visit=1'], 'platformCookie'],
  [['Set-Cookie', 'a=1; Domain=sites.example'], 'wideCookie'],
  [['X-Accel-Redirect', '/a'], 'accel'],
  [['X-Accel-Buffering', 'no'], 'accel'],
  [['X-Sendfile', '/a'], 'sendfile'],
  [['X-Svc-Anything', '1'], 'platform'],
  [['Alt-Svc', 'clear'], 'alternative'],
])('%j is said to be dropped as %s', (raw, expected) => {
  const dropped: string[] = []
  answerFields([...raw, 'Set-Cookie', 'a=1', 'X-B', '1', 'Connection', 'x-b'], {
    ...options,
    onDropped: (field) => dropped.push(field),
  })
  expect(dropped).toEqual([expected])
})

describe('the site’s own headers', () => {
  it('join those that the answer lacks', () => {
    const added = ['X-A', 'site', 'X-B', 'site', 'Cache-Control', 'max-age=60']
    expect(answerFields(['x-b', 'server', 'cache-control', 'no-store'], { ...options, added })).toEqual([
      ['x-b', 'server'],
      ['cache-control', 'no-store'],
      ['X-A', 'site'],
    ])
  })
})

describe('of a protected site', () => {
  it.each([
    [[], 'private, no-cache'],
    [['Cache-Control', 'public, max-age=60'], 'private, no-cache'],
    [['cache-control', 'no-store'], 'private, no-store'],
    [['Surrogate-Control', 'max-age=60', 'CDN-Cache-Control', 'max-age=1'], 'private, no-cache'],
  ])('nothing is for shared caches: %j', (raw, value) => {
    expect(answerFields(raw, { ...options, isProtected: true, added: ['Cache-Control', 'public'] })).toEqual([
      ['Cache-Control', value],
    ])
  })
})
