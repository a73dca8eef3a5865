/** Requests as bytes on a socket of their own, and the responses, parsed strictly by RFC 9112. */
import { connect } from 'node:net'
import fc from 'fast-check'
import { patienceMs } from '../support/eventually.ts'

export type RawAnswer = { status: number; headers: Map<string, string>; body: string }

/**
 * Writes `bytes` (Latin-1) in `pieces`, half-closes unless disabled, and resolves to all that arrived until
 * the other side closed, too. @throws when that takes too long.
 */
export function exchange(port: number, bytes: string, pieces: number, halfClose: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const received: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`hangs after ${JSON.stringify(Buffer.concat(received).toString('latin1'))}`))
    }, patienceMs)
    socket.on('data', (chunk) => received.push(chunk))
    // A reset is one way to close.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(received).toString('latin1'))
    })
    const size = Math.max(1, Math.ceil(bytes.length / pieces))
    const write = (at: number): void => {
      socket.write(bytes.slice(at, at + size), 'latin1')
      if (at + size < bytes.length) setImmediate(() => socket.writable && write(at + size))
      else if (halfClose) socket.end()
    }
    socket.on('connect', () => write(0))
  })
}

const statusLine = /^HTTP\/1\.1 (\d{3}) [ -~]*$/
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/

/** The responses in what arrived; the first is one to `method`. @throws when they are invalid HTTP. */
export function parseAnswers(received: string, method: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error('a head that does not end')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(statusLine.exec(first)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(first)}`)
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name = '', value = ''] = fieldLine.exec(line) ?? []
      if (name === '') throw new Error(`no field: ${JSON.stringify(line)}`)
      headers.set(name.toLowerCase(), value)
    }
    const after = rest.slice(end + 4)
    // A refusal before the method is known has a body all the same.
    const isHead =
      method === 'HEAD' &&
      answers.every((each) => each.status < 200) &&
      (after === '' || after.startsWith('HTTP/1.1 '))
    const bodyless = status === 304 || status < 200 || isHead
    const { body, length } = bodyless ? { body: '', length: 0 } : readBody(after, headers)
    answers.push({ status, headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

function readBody(rest: string, headers: Map<string, string>): { body: string; length: number } {
  if (headers.get('transfer-encoding') !== 'chunked') {
    // As in HTTP/1.0, which has no chunks.
    const untilClose = headers.get('connection') === 'close' ? rest.length : Number.NaN
    const length = Number(headers.get('content-length') ?? untilClose)
    if (Number.isNaN(length)) throw new Error('a body without an end')
    if (rest.length < length) throw new Error('a body that breaks off')
    return { body: rest.slice(0, length), length }
  }
  let body = ''
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.slice(at, lineEnd), 16)
    if (lineEnd === -1 || Number.isNaN(size)) throw new Error('a chunk without a size')
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 2 + size + 2
    if (size === 0) return { body, length: at }
  }
}

export type Head = { method: string; target: string; version: string; fields: string[] }

/** The text of a head with `lineEnd` as line ending. */
export function headText({ method, target, version, fields }: Head, lineEnd = '\r\n'): string {
  return [`${method} ${target} ${version}`, ...fields, '', ''].join(lineEnd)
}

/** `text`, in nine of ten cases with a few bytes inserted, removed or replaced. */
export function mangled(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const byte = fc.oneof(
    fc.constantFrom('\r', '\n', '\0', ' ', ':', '\t', ',', '\u00ff', '\r\n', '\r\n\r\n', '%'),
    fc.nat(255).map((code) => String.fromCharCode(code)),
  )
  const change = fc.record({ at: fc.nat(100_000), take: fc.nat(3), put: fc.oneof(byte, fc.constant('')) })
  return fc.tuple(text, fc.array(change, { maxLength: 3 })).map(([original, changes]) =>
    changes.reduce((now, { at, take, put }) => {
      const place = at % (now.length + 1)
      return now.slice(0, place) + put + now.slice(place + take)
    }, original),
  )
}

export const methods = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('GET', 'HEAD') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'POST',
      'PUT',
      'DELETE',
      'OPTIONS',
      'PATCH',
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'QUERY',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'get',
      'GE',
      '',
      'PRI',
      'GET GET',
      'G\u0000T',
      'M-SEARCH',
      'SOURCE',
      'X'.repeat(100),
    ),
  },
)

export const versions = fc.oneof(
  { weight: 20, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.2',
      'http/1.1',
      'HTTP/1.1 ',
      'HTTP/11',
      '',
      'RTSP/1.0',
      'HTTP/1.1\t',
    ),
  },
)

/** Valid fields, and ones that some parsers read as a different request. */
export const oddFields = fc.oneof(
  fc.constantFrom(
    'Connection: close',
    'Connection: keep-alive',
    'Connection: upgrade',
    'Upgrade: h2c',
    'Upgrade: websocket',
    'Connection: content-length',
    'Keep-Alive: timeout=0',
    'Expect: 100-continue',
    'Expect: 200-ok',
    'TE: trailers',
    'Trailer: host',
  ),
  fc.constantFrom(
    'Content-Length: 0',
    'Content-Length: -1',
    'Content-Length: 1e1',
    'Content-Length: 99999999999999999999',
    'Content-Length:',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\u000bchunked',
  ),
  fc.constantFrom(
    ' folded: a',
    '\tfolded',
    'no colon',
    ': no name',
    'A\u0000: b',
    'A: b\u0000c',
    'A: b\rc',
    '"A": b',
    'A(b): c',
    'A: \u00ff\u0080',
    'A: \u007f',
    `A: ${'x'.repeat(9_000)}`,
    `${'A'.repeat(9_000)}: x`,
  ),
  fc.constantFrom(
    'Host: other',
    'X-Forwarded-Host: other',
    'X-Forwarded-For: 1.2.3.4',
    'X-Original-URL: /x',
    'X-Rewrite-URL: /x',
    'Max-Forwards: 0',
    'Cookie: a',
    'Cookie: =;;=',
    'Via: 1.1 a',
    'Proxy-Connection: keep-alive',
    'Proxy-Authorization: Basic YTpi',
  ),
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
)
