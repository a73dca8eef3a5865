/** Which form of a file a request gets, and the headers of that form, decided without reading a byte. */
import { describe, expect, it } from 'vitest'
import { createManifest } from '../../../src/roles/edge/manifest.ts'
import { readHead } from '../../../src/roles/edge/wire/request-head.ts'
import { parseTarget } from '../../../src/roles/edge/wire/target.ts'
import { decideAnswer } from './decide-answer.ts'

const sha256 = 'cd'.repeat(32)
const [identity, br, gzip] = [`"${sha256}"`, `"${sha256}-br"`, `"${sha256}-gzip"`]
const forms = { br: { object: 'team/br', size: 30 }, gzip: { object: 'team/gzip', size: 40 } }
const line = (path: string) => ({ path, sha256, size: 100, object: 'team/identity' })
const manifest = createManifest([
  { ...line('index.html'), forms },
  { ...line('only-gzip.css'), forms: { gzip: forms.gzip } },
  { ...line('plain.js') },
  { ...line('photo.png'), forms },
  { ...line('app.js.br') },
  { ...line('app-1a2b3c4d.js'), isPending: true },
  { ...line('assets/photo-B2dQ7xZ1.png'), isPending: true },
  { ...line('404.html'), forms },
])

const browser = 'gzip, deflate, br, zstd'

function decideFor(address: string, fields: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const head = readHead(Object.entries(fields).flat())
  const target = parseTarget(address)
  if (typeof head === 'number' || !target) throw new Error('This is refused before.')
  const { answer, file } = decideAnswer(
    { method, target, head },
    { isProtected: false, spa: false },
    manifest,
  )
  const pairs = answer.headers.flatMap((name, i) => (i % 2 ? [] : [[name, answer.headers[i + 1]]]))
  const headers: Record<string, string> = Object.fromEntries(pairs)
  return { status: answer.status, headers, body: answer.body, object: file?.object }
}

const get = (address: string, acceptEncoding: string, fields: Record<string, string> = {}) =>
  decideFor(address, { 'Accept-Encoding': acceptEncoding, ...fields })

describe('a compressible file', () => {
  it('is sent compressed, with its own ETag and length', () => {
    expect(get('/', browser)).toEqual({
      status: 200,
      object: 'team/br',
      body: [{ start: 0, end: 29 }],
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'Accept-Ranges': 'bytes',
        'Content-Encoding': 'br',
        'Content-Length': '30',
        'Cache-Control': 'public, max-age=0, must-revalidate',
        ETag: br,
        Vary: 'Accept-Encoding',
      },
    })
    expect(get('/', 'gzip')).toMatchObject({
      object: 'team/gzip',
      body: [{ start: 0, end: 39 }],
      headers: { 'Content-Encoding': 'gzip', 'Content-Length': '40', ETag: gzip },
    })
  })

  it.each([
    ['a client without Accept-Encoding', {}],
    ['one that accepts no available form', { 'Accept-Encoding': 'deflate' }],
    ['one that prefers identity', { 'Accept-Encoding': 'br;q=0.1, identity' }],
    ['one that accepts nothing', { 'Accept-Encoding': '*;q=0' }],
  ])('is sent uncompressed to %s', (_, fields) => {
    const { headers, object } = decideFor('/', fields)
    expect({ object, headers }).toMatchObject({
      object: 'team/identity',
      headers: { ETag: identity, Vary: 'Accept-Encoding', 'Content-Length': '100' },
    })
    expect(headers).not.toHaveProperty('Content-Encoding')
  })

  it('is sent in the next best form if the best is missing', () => {
    expect(get('/only-gzip.css', browser).object).toBe('team/gzip')
    expect(get('/only-gzip.css', 'br').object).toBe('team/identity')
    expect(get('/plain.js', browser).object).toBe('team/identity')
    expect(get('/plain.js', 'br, *;q=0').object).toBe('team/identity')
  })

  it('has the same headers for HEAD, also with a Range', () => {
    const { headers } = get('/', browser)
    for (const fields of [{}, { Range: 'bytes=0-1' }]) {
      expect(decideFor('/', { 'Accept-Encoding': browser, ...fields }, 'HEAD').headers).toEqual(headers)
    }
  })

  it('has Vary from its deployment on, whatever the response', () => {
    const answers = [
      get('/plain.js', 'identity'),
      get('/plain.js', browser, { 'If-None-Match': identity }),
      get('/plain.js', browser, { 'If-Match': '"other"' }),
      get('/plain.js', browser, { Range: 'bytes=0-1' }),
      get('/plain.js', browser, { Range: 'bytes=0-1,5-6' }),
      get('/plain.js', browser, { Range: 'bytes=500-' }),
      get('/nothing', browser),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 412, 206, 206, 416, 404])
    for (const { headers } of answers) expect(headers).toMatchObject({ Vary: 'Accept-Encoding' })
  })

  it('is cached briefly by shared caches while its compressed forms are missing', () => {
    const cached = (address: string) => get(address, browser).headers['Cache-Control']
    expect(cached('/app-1a2b3c4d.js')).toBe('public, max-age=31536000, s-maxage=60, immutable')
    expect(cached('/assets/photo-B2dQ7xZ1.png')).toBe('public, max-age=31536000, immutable')
  })
})

it.each(['/photo.png', '/app.js.br'])('%s is always sent uncompressed, without Vary', (address) => {
  const { headers, object } = get(address, browser)
  expect(object).toBe('team/identity')
  expect(headers).not.toHaveProperty('Vary')
  expect(headers).not.toHaveProperty('Content-Encoding')
})

it("404 with the deployment's own page, compressed", () => {
  expect(get('/nothing', browser)).toEqual({
    status: 404,
    object: 'team/br',
    body: [{ start: 0, end: 29 }],
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Encoding': 'br',
      'Content-Length': '30',
      'Cache-Control': 'public, max-age=0, must-revalidate',
      Vary: 'Accept-Encoding',
    },
  })
})

describe('a condition refers to the form that the request selects', () => {
  it('304 for a client that has it', () => {
    for (const held of [br, `W/${br}`, `${identity}, ${br}`, '*']) {
      const { status, headers } = get('/', browser, { 'If-None-Match': held })
      expect({ status, headers }).toEqual({
        status: 304,
        headers: { 'Cache-Control': 'public, max-age=0, must-revalidate', ETag: br, Vary: 'Accept-Encoding' },
      })
    }
    expect(get('/', 'identity', { 'If-None-Match': identity }).status).toBe(304)
  })

  it('200 with the compressed form for a cache that has the uncompressed file', () => {
    expect(get('/', browser, { 'If-None-Match': identity })).toMatchObject({
      status: 200,
      object: 'team/br',
      headers: { ETag: br },
    })
  })

  it('200 with the uncompressed file for a client that has a form which it does not accept', () => {
    expect(get('/', 'identity', { 'If-None-Match': br })).toMatchObject({
      status: 200,
      object: 'team/identity',
    })
  })

  it('412 unless If-Match names it', () => {
    expect(get('/', browser, { 'If-Match': br }).status).toBe(200)
    expect(get('/', browser, { 'If-Match': identity }).status).toBe(412)
  })
})

describe('a range', () => {
  const range = { Range: 'bytes=10-19' }
  const identityPart = {
    status: 206,
    object: 'team/identity',
    headers: { 'Content-Range': 'bytes 10-19/100', ETag: identity },
  }
  const brPart = {
    status: 206,
    object: 'team/br',
    headers: {
      'Content-Range': 'bytes 10-19/30',
      ETag: br,
      'Content-Encoding': 'br',
      'Content-Length': '10',
    },
  }

  it('is of the uncompressed file, also for a client that accepts compressed forms', () => {
    const answer = get('/', browser, range)
    expect(answer).toMatchObject(identityPart)
    expect(answer.headers).not.toHaveProperty('Content-Encoding')
    expect(get('/', browser, { ...range, 'If-Match': '*' })).toMatchObject(identityPart)
  })

  it.each(['If-Range', 'If-Match'])('is of the form that %s names', (name) => {
    expect(get('/', browser, { ...range, [name]: identity })).toMatchObject(identityPart)
    expect(get('/', browser, { ...range, [name]: br })).toMatchObject(brPart)
    expect(get('/', browser, { ...range, [name]: gzip })).toMatchObject({ status: 206, object: 'team/gzip' })
  })

  it('200 with all of it for a client that has a part of something else', () => {
    for (const held of ['"other"', `W/${identity}`, 'Sat, 21 Nov 2026 10:00:00 GMT']) {
      expect(get('/', browser, { ...range, 'If-Range': held })).toMatchObject({
        status: 200,
        object: 'team/identity',
      })
    }
    // It has the brotli form, but doesn't accept it.
    expect(get('/', 'gzip', { ...range, 'If-Range': br })).toMatchObject({
      status: 200,
      object: 'team/identity',
    })
    expect(decideFor('/', { ...range, 'If-Range': br })).toMatchObject({
      status: 200,
      object: 'team/identity',
    })
  })

  it('is of a compressed form if identity is not accepted', () => {
    expect(get('/', 'br, identity;q=0', range)).toMatchObject(brPart)
    expect(get('/', 'br, identity;q=0', { Range: 'bytes=50-' })).toMatchObject({
      status: 416,
      headers: { 'Content-Range': 'bytes */30' },
    })
  })

  it('with several parts of a compressed form is ignored: the form is sent whole', () => {
    const fields = { Range: 'bytes=0-1,5-6', 'If-Range': br }
    expect(get('/', browser, fields)).toMatchObject({ status: 200, object: 'team/br', headers: { ETag: br } })
  })
})
