/**
 * Requests whose end two programs may see at different places, so that one of them takes a part for a request
 * of its own.
 */

/** The bytes of a request with this line and these fields, in which `inner` is hidden, a whole request. */
type Form = (line: string, fields: string[], inner: string) => string

const http = (line: string, fields: string[], version = '1.1') =>
  [`${line} HTTP/${version}`, ...fields, '', ''].join('\r\n')

const chunked = 'Transfer-Encoding: chunked'
const end = '0\r\n\r\n'

/** `text` as one chunk. */
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** The length covers all, chunks end before `inner`. */
const withBoth =
  (...codings: string[]): Form =>
  (line, fields, inner) => {
    const body = end + inner
    return http(line, [...fields, `Content-Length: ${body.length}`, ...codings]) + body
  }

/** `inner` is behind what the first field says. */
const withLengths =
  (first: (length: number) => string, ...others: ((length: number) => string)[]): Form =>
  (line, fields, inner) => {
    const lengths = [first, ...others].map((field) => field(inner.length))
    return http(line, [...fields, ...lengths]) + inner
  }

const inChunks =
  (body: (inner: string) => string, ...more: string[]): Form =>
  (line, fields, inner) =>
    http(line, [...fields, chunked, ...more]) + body(inner)

const declared = (length: number) => `Content-Length: ${length}`

/** By name. */
export const forms: Record<string, Form> = {
  'length and chunks': withBoth(chunked),
  'chunks and length': (line, fields, inner) =>
    `${http(line, [...fields, chunked, 'Content-Length: 4'])}${chunk(inner)}${end}`,
  'a coding in other letters': withBoth('Transfer-Encoding: cHuNkEd'),
  'an unknown coding': withBoth('Transfer-Encoding: xchunked'),
  'two codings': withBoth(chunked, 'Transfer-Encoding: identity'),
  'a list of codings': withBoth('Transfer-Encoding: identity, chunked'),
  'a coding behind a tab': withBoth('Transfer-Encoding:\tchunked'),
  'a space before the colon': withBoth('Transfer-Encoding : chunked'),
  'a folded coding': withBoth('Transfer-Encoding:\r\n chunked'),
  'a coding in another field': withBoth('X: y\r\n\tTransfer-Encoding: chunked'),
  'a coding behind a vertical tab': withBoth('Transfer-Encoding: \x0bchunked'),
  'a coding behind NUL': withBoth('Transfer-Encoding: \0chunked'),
  'a coding with an underscore': withBoth('Transfer_Encoding: chunked'),
  'a bare line feed before a coding': withBoth(`X: y\n${chunked}`),
  'a bare carriage return before a coding': withBoth(`X: y\r${chunked}`),
  'two lengths': withLengths(() => 'Content-Length: 0', declared),
  'two lengths, the short one last': withLengths(declared, () => 'Content-Length: 0'),
  'a list of lengths': withLengths((length) => `Content-Length: 0, ${length}`),
  'a length with a sign': withLengths((length) => `Content-Length: +${length}`),
  'a length of +0': withLengths(() => 'Content-Length: +0'),
  'a negative length': withLengths((length) => `Content-Length: -${length}`),
  'a length in hex': withLengths((length) => `Content-Length: 0x${length.toString(16)}`),
  'a length with a space': withLengths((length) => `Content-Length: ${length} 0`),
  'a length that is named by Connection': withLengths(declared, () => 'Connection: content-length'),
  'no length': withLengths(() => 'X: y'),
  'a chunk with an extension': inChunks((inner) => `1;a=b\r\nx\r\n${end}${inner}`),
  'a line feed in an extension': inChunks((inner) => `1;a\nx\r\n${end}${inner}`),
  'a quoted line break in an extension': inChunks((inner) => `1;a="\r\n${end}${inner}"\r\nx\r\n${end}`),
  'a chunk size with a prefix': inChunks((inner) => `0x0\r\n\r\n${inner}`),
  'a chunk size that overflows': inChunks((inner) => `10000000000000000\r\n${inner}`),
  'a chunk size with a space': inChunks((inner) => `0 \r\n\r\n${inner}`),
  'bare line feeds between chunks': inChunks((inner) => `0\n\n${inner}`),
  'trailers that are fields': inChunks((inner) => `0\r\nContent-Length: 9\r\n${chunked}\r\n\r\n${inner}`),
  'chunks without an end': inChunks((inner) => chunk(inner)),
  'chunks in HTTP/1.0': (line, fields, inner) =>
    http(line, [...fields, 'Connection: keep-alive', chunked], '1.0') + end + inner,
  'a length in HTTP/1.0': (line, fields, inner) =>
    http(line, [...fields, 'Connection: keep-alive', 'Content-Length: 0'], '1.0') + inner,
  'an upgrade': withLengths(
    () => 'Connection: Upgrade',
    () => 'Upgrade: websocket',
  ),
  'an upgrade to HTTP/2': withLengths(
    () => 'Connection: Upgrade, HTTP2-Settings',
    () => 'Upgrade: h2c',
    () => 'HTTP2-Settings: AAMAAABk',
  ),
  'an upgrade with a body': withLengths(declared, () => 'Connection: Upgrade\r\nUpgrade: a'),
  'a body that waits to be requested': withLengths(declared, () => 'Expect: 100-continue'),
  'a body behind an odd expectation': withLengths(declared, () => 'Expect: 100-continue, x'),
  'a tunnel': (_line, [host = ''], inner) => http('CONNECT x:443', [host]) + inner,
  'a tunnel with a length': (_line, [host = ''], inner) =>
    http('CONNECT x:443', [host, declared(inner.length)]) + inner,
  'a long body that is refused early': (line, fields, inner) => {
    const body = inner.repeat(2_000)
    return http(line, [...fields, declared(body.length)]) + body
  },
  'long chunks that are refused early': (line, fields, inner) =>
    http(line, [...fields, chunked]) + chunk(inner.repeat(500)).repeat(4),
}
