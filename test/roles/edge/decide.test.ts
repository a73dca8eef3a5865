/** Whole responses, decided from a request and a manifest without reading a byte. */
import { describe, expect, it } from 'vitest'
import { createManifest } from '../../../src/roles/edge/manifest.ts'
import { readHead } from '../../../src/roles/edge/wire/request-head.ts'
import { parseTarget } from '../../../src/roles/edge/wire/target.ts'
import { decideAnswer } from './decide-answer.ts'

const sha256 = 'ab'.repeat(32)
const etag = `"${sha256}"`
const line = (path: string, size = 100) => ({ path, sha256, size, object: `team/${path}` })
const manifest = createManifest([
  line('index.html'),
  line('app-1a2b3c4d.js'),
  line('empty.txt', 0),
  line('docs/index.html'),
  line('404.html', 7),
])

type Options = { method?: 'GET' | 'HEAD'; fields?: string[]; isProtected?: boolean; spa?: boolean }

function decideFor(
  address: string,
  { method = 'GET', fields = [], isProtected = false, spa = false }: Options = {},
) {
  const head = readHead(fields)
  const target = parseTarget(address)
  if (typeof head === 'number' || !target) throw new Error('This is refused before.')
  const { answer, file } = decideAnswer({ method, target, head }, { isProtected, spa }, manifest)
  const pairs = answer.headers.flatMap((name, index) =>
    index % 2 ? [] : [[name, answer.headers[index + 1]]],
  )
  return { status: answer.status, headers: Object.fromEntries(pairs), body: answer.body, path: file?.path }
}

const revalidate = 'public, max-age=0, must-revalidate'

describe('a file', () => {
  it('is sent whole, with a strong ETag', () => {
    expect(decideFor('/')).toEqual({
      status: 200,
      path: 'index.html',
      body: [{ start: 0, end: 99 }],
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'Accept-Ranges': 'bytes',
        'Content-Length': '100',
        'Cache-Control': revalidate,
        ETag: etag,
        Vary: 'Accept-Encoding',
      },
    })
  })

  it('may be cached for a year when its name contains a hash', () => {
    expect(decideFor('/app-1a2b3c4d.js').headers['Cache-Control']).toBe('public, max-age=31536000, immutable')
  })

  it('may be empty', () => {
    expect(decideFor('/empty.txt')).toMatchObject({
      status: 200,
      body: [],
      headers: { 'Content-Length': '0' },
    })
    expect(decideFor('/empty.txt', { fields: ['Range', 'bytes=0-'] }).status).toBe(200)
  })

  it('304 without a body when the client has it', () => {
    const { status, body, headers } = decideFor('/', { fields: ['If-None-Match', `W/${etag}`] })
    expect({ status, body, headers }).toEqual({
      status: 304,
      body: [],
      headers: { 'Cache-Control': revalidate, ETag: etag, Vary: 'Accept-Encoding' },
    })
  })

  it('304 rather than 206 or 416', () => {
    for (const range of ['bytes=0-1', 'bytes=500-']) {
      expect(decideFor('/', { fields: ['If-None-Match', etag, 'Range', range] }).status).toBe(304)
    }
  })

  it('412 is not cached, also for a file that may be', () => {
    const { status, headers } = decideFor('/app-1a2b3c4d.js', { fields: ['If-Match', '"other"'] })
    expect({ status, cache: headers['Cache-Control'] }).toEqual({ status: 412, cache: revalidate })
  })
})

describe('a range', () => {
  it('206 with one part', () => {
    expect(decideFor('/', { fields: ['Range', 'bytes=10-19'] })).toMatchObject({
      status: 206,
      body: [{ start: 10, end: 19 }],
      headers: { 'Content-Range': 'bytes 10-19/100', 'Content-Length': '10', ETag: etag },
    })
  })

  it('206 with several parts, and their total length', () => {
    const { status, body, headers } = decideFor('/', { fields: ['Range', 'bytes=0-1,-1'] })
    const boundary = /^multipart\/byteranges; boundary=([0-9a-f]{32})$/.exec(
      headers['Content-Type'] ?? '',
    )?.[1]
    const head = (range: string) =>
      `--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Range: bytes ${range}/100\r\n\r\n`
    const parts = [head('0-1'), { start: 0, end: 1 }, `\r\n${head('99-99')}`, { start: 99, end: 99 }]
    expect({ status, body }).toEqual({ status: 206, body: [...parts, `\r\n--${boundary}--\r\n`] })
    const text = head('0-1').length + 2 + head('99-99').length + `\r\n--${boundary}--\r\n`.length
    expect(headers).toMatchObject({ 'Content-Length': String(text + 3) })
    expect(headers).not.toHaveProperty('Content-Range')
  })

  it('416 has the size', () => {
    expect(decideFor('/', { fields: ['Range', 'bytes=100-'] })).toMatchObject({
      status: 416,
      body: [],
      headers: { 'Content-Range': 'bytes */100', 'Cache-Control': revalidate },
    })
  })

  it.each([
    ['malformed', 'bytes=9-1'],
    ['in another unit', 'pages=1-2'],
    ['sent twice', 'bytes=0-1, bytes=3-4'],
  ])('is ignored when %s', (_, range) =>
    expect(decideFor('/', { fields: ['Range', range] }).status).toBe(200),
  )

  it('is ignored unless If-Range matches the file', () => {
    const fields = (ifRange: string) => ['Range', 'bytes=0-1', 'If-Range', ifRange]
    expect(decideFor('/', { fields: fields(etag) }).status).toBe(206)
    expect(decideFor('/', { fields: fields(`W/${etag}`) }).status).toBe(200)
    expect(decideFor('/', { fields: fields('Sat, 21 Nov 2026 10:00:00 GMT') }).status).toBe(200)
  })

  it('is ignored on HEAD', () => {
    const { status, headers } = decideFor('/', { method: 'HEAD', fields: ['Range', 'bytes=0-1'] })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'Content-Length': '100' })
    expect(decideFor('/', { method: 'HEAD', fields: ['Range', 'bytes=500-'] }).status).toBe(200)
    expect(decideFor('/', { method: 'HEAD', fields: ['If-None-Match', etag] }).status).toBe(304)
  })
})

describe('a missing file', () => {
  it("404 with the deployment's own page, whole and without an ETag", () => {
    const found = decideFor('/nothing', { fields: ['Range', 'bytes=0-1', 'If-None-Match', '*'] })
    expect(found).toMatchObject({ status: 404, path: '404.html', body: [{ start: 0, end: 6 }] })
    expect(found.headers).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': '7',
      'Cache-Control': revalidate,
      Vary: 'Accept-Encoding',
    })
  })

  it('308 to the page’s URL, with the query', () => {
    expect(decideFor('/docs?a=1&b')).toMatchObject({
      status: 308,
      path: undefined,
      headers: { Location: '/docs/?a=1&b', 'Cache-Control': revalidate },
    })
  })
})

it('no response of a protected site is for shared caches', () => {
  const requests: [string, string[]][] = [
    ['/', []],
    ['/app-1a2b3c4d.js', []],
    ['/', ['If-None-Match', '*']],
    ['/', ['If-Match', '"x"']],
    ['/', ['Range', 'bytes=0-1']],
    ['/', ['Range', 'bytes=0-1,5-6']],
    ['/', ['Range', 'bytes=500-']],
    ['/docs', []],
    ['/nothing', []],
  ]
  const statuses = requests.map(([address, fields]) => {
    const { status, headers } = decideFor(address, { fields, isProtected: true })
    expect(headers).toMatchObject({ 'Cache-Control': 'private, no-store' })
    return status
  })
  expect(statuses).toEqual([200, 200, 304, 412, 206, 206, 416, 308, 404])
})
