/**
 * Generated requests to sites, as bytes: each is answered or closed, without 5xx, and with the bytes of its
 * own site only.
 */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Edge, newSite, startEdge } from '../roles/edge/edge.ts'
import {
  exchange,
  type Head,
  headText,
  mangled,
  methods,
  oddFields,
  parseAnswers,
  type RawAnswer,
  versions,
} from './bytes.ts'
import { hostileEncoded, hostileText } from './hostile.ts'
import { runsOf, seed, seedOf } from './run.ts'

type Site = { marker: string; files: Record<string, string>; hosts: string[] }

let edge: Edge
let sites: Site[]

/** Each file has its owner's name every few bytes. */
const filesOf = (marker: string) => ({
  'index.html': `<p>${marker}</p>`.repeat(200),
  'a/b.css': marker.repeat(30),
  'caf\u00e9.txt': marker.repeat(3),
  '404.html': `${marker} is not here`,
  'empty.js': '',
  'big.bin': marker.repeat(20_000),
  _redirects:
    '/old/* /new/:splat 301\n' +
    '/go https://example.com/:query 302 query=:query\n/x/:a /:a 308\n/* /index.html 200',
  _headers: '/*\n  X-Site: yes\n  Cache-Control: no-cache\n/a/*\n  X-A: b',
})

const markers = ['ownmark', 'otrmark', 'prvmark']

async function startSite(marker: string): Promise<Site> {
  const site = await newSite(edge)
  const files = filesOf(marker)
  const deployment = await site.deploy(files)
  await site.promote(deployment.id)
  if (marker === 'prvmark') await site.configure({ protection: 'all' })
  await site.markBlobs()
  await site.compress()
  return { marker, files, hosts: [site.host, deployment.host] }
}

beforeAll(async () => {
  edge = await startEdge({ timeouts: { headersMs: 400, requestMs: 2_000, checkMs: 100 } })
  sites = await Promise.all(markers.map(startSite))
})

afterAll(() => edge.close())

/** A site by its name, or by its deployment. */
const ownHost = fc
  .tuple(fc.nat(markers.length - 1), fc.nat(1))
  .map(([at, which]) => sites[at]?.hosts[which] ?? '')

const hosts = fc.oneof(
  { weight: 8, arbitrary: ownHost },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        ownHost,
        fc.constantFrom('.', ':80', ':', ':99999', '.:8080', '..', ' ', '/', '@', '%00', ',', '#'),
      )
      .map(([host, tail]) => host + tail),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'localhost',
      '127.0.0.1',
      '[::1]',
      'nobody.localhost',
      'a.b.localhost',
      '.localhost',
      '-.localhost',
      `${'a'.repeat(64)}.localhost`,
      'xn--a.localhost',
      '__proto__.localhost',
      'constructor',
    ),
  },
)

const segments = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'index.html',
      'a',
      'b.css',
      'caf%C3%A9.txt',
      'caf\u00c3\u00a9.txt',
      'empty.js',
      'big.bin',
      '404.html',
      'old',
      'go',
      'x',
      '_redirects',
      '_headers',
      '',
    ),
  },
  { weight: 3, arbitrary: hostileEncoded },
  { weight: 1, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
)

const targets = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(
        fc.array(segments, { maxLength: 4 }),
        fc.constantFrom('', '', '', '?a=b', '?query=%', '?query=a%0d%0ab', '?x-svc-bypass=a', '?&&='),
      )
      .map(([path, query]) => `/${path.join('/')}${query}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*',
      '',
      'index.html',
      'http://localhost/',
      '//evil.example/',
      '/\\evil.example',
      '/..',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/#a',
      `/${'a/'.repeat(3_000)}`,
      `/${'%61'.repeat(3_000)}`,
    ),
  },
)

const fields = fc.oneof(
  fc.constantFrom(
    'Range: bytes=0-0',
    'Range: bytes=-1',
    'Range: bytes=5-',
    'Range: bytes=0-4,6-9,-3',
    'Range: bytes=9-1',
    'Range: bytes=99999999999999999999-',
    'Range: bytes=0-99999999999999999999',
    `Range: bytes=${'0-0,'.repeat(1_000)}1-1`,
    'Range: lines=1-2',
    'Range: bytes=',
    'Range: bytes=a-b',
  ),
  fc.constantFrom(
    'If-None-Match: *',
    'If-None-Match: "a"',
    'If-None-Match: W/"',
    'If-Match: "x"',
    'If-Match: *',
    'If-Range: "x"',
    'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
    'If-Unmodified-Since: x',
    `If-None-Match: ${'"a",'.repeat(2_000)}`,
  ),
  fc.constantFrom(
    'Accept-Encoding: br',
    'Accept-Encoding: gzip;q=1.0, br;q=0',
    'Accept-Encoding: *;q=0',
    'Accept-Encoding: identity;q=0',
    `Accept-Encoding: ${'a,'.repeat(4_000)}`,
    'Accept-Encoding: br;q=2',
    'Accept-Encoding: ;;,,',
  ),
  fc.constantFrom(
    'Authorization: Bearer x',
    'Authorization:',
    'x-svc-bypass: a',
    `Cookie: __Host-svc-bypass=${'a'.repeat(200)}`,
    'Cookie: svc-bypass=a.b.c; svc-bypass=d',
  ),
  oddFields,
)

const bodies = fc.constantFrom(
  '',
  '',
  '',
  '',
  '0\r\n\r\n',
  'hello',
  'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
)

const head: fc.Arbitrary<Head> = fc.record({
  method: methods,
  target: targets,
  version: versions,
  fields: fc
    .tuple(hosts, fc.array(fields, { maxLength: 3 }))
    .map(([host, more]) => [`Host: ${host}`, ...more]),
})

const request = fc
  .record({
    head,
    lineEnd: fc.oneof(
      { weight: 30, arbitrary: fc.constant('\r\n') },
      { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n') },
    ),
    body: bodies,
    mangle: fc.nat(3).map((drawn) => drawn === 0),
    pieces: fc.constantFrom(1, 1, 1, 2, 7),
    halfClose: fc.oneof(
      { weight: 150, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
  })
  .chain(({ head: drawn, lineEnd, body, mangle, ...rest }) => {
    const text = headText(drawn, lineEnd) + body
    return fc.record({
      bytes: mangle ? mangled(fc.constant(text)) : fc.constant(text),
      method: fc.constant(drawn.method),
      rest: fc.constant(rest),
    })
  })

/** The violations in the responses to these bytes. */
function problems(bytes: string, answers: RawAnswer[]): string[] {
  const requestText = bytes.toLowerCase()
  return answers.flatMap(({ status, headers, body }) => {
    const wrong = status >= 500 || status < 100 ? [`a ${status}`] : []
    for (const { marker, hosts: own } of sites) {
      const named = own.some((host) => requestText.includes(host.split('.')[0] ?? ''))
      if (body.includes(marker) && (!named || marker === 'prvmark')) wrong.push(`the bytes of ${marker}`)
    }
    if (status === 206 && !headers.get('content-type')?.startsWith('multipart/'))
      wrong.push(...rangeProblems(headers, body))
    if (status === 200 && body !== '' && !headers.has('content-encoding') && !isWholeFile(body))
      wrong.push('no file as it is')
    const location = headers.get('location')
    if (location !== undefined && !/^(?:\/(?![/\\])|https:\/\/example\.com\/)/.test(location))
      wrong.push(`a way to ${location}`)
    return wrong
  })
}

const allFiles = () =>
  sites.flatMap((site) => Object.values(site.files).map((text) => Buffer.from(text).toString('latin1')))

function isWholeFile(body: string): boolean {
  return allFiles().includes(body)
}

function rangeProblems(headers: Map<string, string>, body: string): string[] {
  const [, start, end, size] = (
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  ).map(Number)
  const from = allFiles().filter((file) => file.length === size)
  return from.some((file) => file.slice(start, (end ?? 0) + 1) === body) || headers.has('content-encoding')
    ? []
    : ['a range that is no part of a file']
}

describe('generated requests', { timeout: 20 * 60_000 }, () => {
  const lanes = [0, 1, 2, 3, 4, 5, 6, 7]

  it('are answered or closed, each with the bytes of its own site', async () => {
    const statuses = new Map<number, number>()
    let sent = 0
    const check = async (lane: number) => {
      const details = await fc.check(
        fc.asyncProperty(request, async ({ bytes, method, rest }) => {
          sent += 1
          const received = await exchange(edge.port, bytes, rest.pieces, rest.halfClose)
          const answers = parseAnswers(received, bytes.startsWith('HEAD ') ? 'HEAD' : method)
          for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
          const wrong = problems(bytes, answers)
          if (wrong.length > 0) throw new Error(`${wrong.join('; ')}: ${received.slice(0, 1_000)}`)
        }),
        { seed: seedOf(`edge ${lane}`), numRuns: runsOf(400, 2 / lanes.length) },
      )
      if (!details.failed) return undefined
      const [smallest] = details.counterexample ?? []
      return `FUZZ_SEED=${seed}: ${JSON.stringify(smallest)}\n${String(details.errorInstance)}`
    }
    const failures = (await Promise.all(lanes.map(check))).filter((each) => each !== undefined)
    process.stdout.write(`${sent} requests to sites: ${JSON.stringify([...statuses])}\n`)
    expect(failures).toEqual([])
    expect(edge.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    expect(
      await exchange(
        edge.port,
        headText({
          method: 'GET',
          target: '/',
          version: 'HTTP/1.1',
          fields: [`Host: ${sites[0]?.hosts[0]}`],
        }),
        1,
        true,
      ),
    ).toMatch(/^HTTP\/1\.1 200 /)
  })
})
