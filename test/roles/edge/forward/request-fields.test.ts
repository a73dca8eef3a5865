/** The header of a request that is passed on. */
import { describe, expect, it } from 'vitest'
import { requestFields } from '../../../../src/roles/edge/forward/request-fields.ts'

const visitor = { address: '192.0.2.7', host: 'www.example.com', isSecure: true }
const options = {
  host: 'api.example.net',
  visitor,
  mayHaveCookies: false,
  mayAuthorize: false,
  body: { length: undefined, isChunked: false },
}

function fieldsOf(given: Record<string, string> | string[], more: Partial<typeof options> = {}) {
  const raw = Array.isArray(given) ? given : Object.entries(given).flat()
  const fields = requestFields(raw, { ...options, ...more }) ?? expect.unreachable('a loop')
  return Array.from({ length: fields.length / 2 }, (_, at) => [fields[2 * at], fields[2 * at + 1]])
}

const said = [
  ['X-Forwarded-For', '192.0.2.7'],
  ['X-Forwarded-Host', 'www.example.com'],
  ['X-Forwarded-Proto', 'https'],
  ['Forwarded', 'for=192.0.2.7;host="www.example.com";proto=https'],
  ['CDN-Loop', 'svc'],
]

it('fields stay as they came, in their order, repeated ones, too', () => {
  const given = ['Host', 'www.example.com', 'X-B', '1', 'x-a', '2', 'X-B', '3', 'Accept', '*/*']
  expect(fieldsOf(given)).toEqual([
    ['Host', 'api.example.net'],
    ['X-B', '1'],
    ['x-a', '2'],
    ['X-B', '3'],
    ['Accept', '*/*'],
    ...said,
  ])
})

it.each([
  ['Connection', 'close'],
  ['Keep-Alive', 'timeout=5'],
  ['Proxy-Connection', 'keep-alive'],
  ['Proxy-Authorization', 'Basic x'],
  ['TE', 'trailers'],
  ['Trailer', 'X-A'],
  ['Transfer-Encoding', 'chunked'],
  ['Upgrade', 'h2c'],
  ['HTTP2-Settings', 'x'],
  ['Forwarded', 'for=203.0.113.1'],
  ['X-Forwarded-For', '203.0.113.1'],
  ['x-forwarded-port', '1'],
  ['X-Forwarded-Anything', '1'],
  ['X-Real-IP', '203.0.113.1'],
  ['X-Svc-Bypass', 'secret'],
  [':authority', 'www.example.com'],
  [':path', '/'],
  ['Cookie', 'a=b'],
  ['Authorization', 'Bearer x'],
])('%s: %s is not passed on', (name, value) => {
  expect(fieldsOf([name, value])).toEqual([['Host', 'api.example.net'], ...said])
})

it('what Connection names is of that connection, and nothing that this server says', () => {
  const given = [
    'Connection',
    'X-A, x-forwarded-for',
    'X-A',
    '1',
    'connection',
    'HOST , X-B',
    'X-B',
    '1',
    'X-C',
    '1',
  ]
  expect(fieldsOf(given)).toEqual([['Host', 'api.example.net'], ['X-C', '1'], ...said])
})

it('a visitor is named as it came', () => {
  const other = { address: '2001:db8::1', host: 'a"b\\:80', isSecure: false }
  expect(fieldsOf([], { visitor: other })).toEqual([
    ['Host', 'api.example.net'],
    ['X-Forwarded-For', '2001:db8::1'],
    ['X-Forwarded-Host', 'a"b\\:80'],
    ['X-Forwarded-Proto', 'http'],
    ['Forwarded', 'for="[2001:db8::1]";host="ab:80";proto=http'],
    ['CDN-Loop', 'svc'],
  ])
})

it.each([
  [{ length: '5', isChunked: false }, [['Content-Length', '5']]],
  [{ length: undefined, isChunked: true }, [['Transfer-Encoding', 'chunked']]],
  [{ length: undefined, isChunked: false }, []],
])('a body of %j', (body, fields) => {
  expect(fieldsOf({ 'Content-Length': '9' }, { body } as Partial<typeof options>)).toEqual([
    ['Host', 'api.example.net'],
    ...fields,
    ...said,
  ])
})

describe('to a server that may have them', () => {
  const own = { mayHaveCookies: true, mayAuthorize: true }
  const passed = (given: string[], more = {}) =>
    fieldsOf(given, { ...own, ...more }).filter(([name]) => /^(cookie|authorization)$/i.test(name ?? ''))

  it('cookies go along, without those of this platform', () => {
    const cookie =
      'a=b; svc_visit=1; svc_bypass=2; svc.session_token=3; __Host-svc_nonce=4; __Secure-svc.x=5; svcx=6'
    expect(passed(['Cookie', cookie, 'cookie', 'c=d'])).toEqual([['Cookie', 'a=b; svcx=6; c=d']])
    expect(passed(['Cookie', 'svc_visit=1'])).toEqual([])
  })

  it.each([
    ['Bearer abc', true],
    ['Basic dTpw', true],
    ['Bearer svc_abc', false],
    ['bearer  svc_abc', false],
    [`Basic ${btoa('svc_abc:')}`, false],
    [`basic ${btoa('x:svc_abc')}`, false],
  ])('Authorization: %s: %s', (value, goes) => {
    expect(passed(['Authorization', value])).toEqual(goes ? [['Authorization', value]] : [])
    expect(passed(['Authorization', value], { mayAuthorize: false })).toEqual([])
  })
})

describe('a request that comes round again', () => {
  it.each([
    ['svc', 'svc, svc'],
    ['other; a=1, svc', 'other; a=1, svc, svc'],
    ['svc, svc, svc, svc', 'svc, svc, svc, svc, svc'],
  ])('was passed on by %s before', (before, after) => {
    expect(fieldsOf({ 'CDN-Loop': before }).at(-1)).toEqual(['CDN-Loop', after])
  })

  it.each([
    [['cdn-loop', 'svc, svc,svc;x, svc, svc']],
    [['CDN-Loop', 'svc, svc, svc', 'CDN-Loop', 'svc, svc']],
  ])('is a loop with %j', (raw) => expect(requestFields(raw, options)).toBeUndefined())
})
