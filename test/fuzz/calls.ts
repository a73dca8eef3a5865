/** Arbitraries of calls to one operation: valid by the document, and otherwise. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type Who, who } from './callers.ts'
import { wholeInputs } from './fields.ts'
import { hostileEncoded, hostileKey, hostileText, latin1Text } from './hostile.ts'
import type { Operation, Parameter } from './operations.ts'
import type { Pool } from './references.ts'
import { jsonOf, type Making, textOf } from './values.ts'

/** A value in a path or a query: text that is encoded, or used as it is. */
type Part = { text: string } | { raw: string }

export type Call = {
  method: string
  template: string
  path: Record<string, Part>
  query: [name: string, value: Part][]
  headers: Record<string, string>
  /** Also the bytes of a body, in Latin-1. */
  body: { json: string } | { bytes: string } | undefined
  who: Who
}

export type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined }

/** Calls most of which are invalid somewhere, half of these in one field only. */
export function callOf(operation: Operation): fc.Arbitrary<Call> {
  const { name, parameters, body } = operation
  const fields = [...parameters.map((each) => each.name), ...Object.keys(body?.properties ?? {})]
  const making = (spoiled: number) => callWith(operation, { operation: name, spoiled })
  const ones = fields.map((field) => callWith(operation, { operation: name, spoiled: 0, field }))
  return fc.oneof(
    { weight: 4, arbitrary: making(0) },
    { weight: 4, arbitrary: ones.length > 0 ? fc.oneof(...ones) : making(10) },
    { weight: 1, arbitrary: making(5) },
    { weight: 1, arbitrary: making(20) },
  )
}

function callWith(operation: Operation, making: Making): fc.Arbitrary<Call> {
  const { method, template, parameters, body } = operation
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  return fc.record({
    method: sometimes(making, fc.constant(method), fc.constant(method === 'GET' ? 'HEAD' : method)),
    template: fc.constant(template),
    path: fc.record(Object.fromEntries(inPath.map((each) => [each.name, part(each, making)]))),
    query: queryOf(inQuery, making),
    headers: headersOf(operation, making),
    body: bodyOf(operation, making, body !== undefined),
    who,
  })
}

/** `usual`, and `odd` as often as something is invalid. */
function sometimes<T>({ spoiled }: Making, usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  if (spoiled === 0) return usual
  return fc.oneof({ weight: 100 - spoiled, arbitrary: usual }, { weight: spoiled, arbitrary: odd })
}

const rawPart = fc
  .tuple(hostileEncoded, fc.constantFrom('', 'a', 'b'), hostileEncoded)
  .map(([first, between, last]): Part => ({ raw: first + between + (between === '' ? '' : last) }))

function part({ name, schema }: Parameter, making: Making): fc.Arbitrary<Part> {
  return sometimes(
    making,
    textOf(schema, making, name).map((text) => ({ text })),
    rawPart,
  )
}

function queryOf(parameters: Parameter[], making: Making): fc.Arbitrary<[string, Part][]> {
  const own = fc
    .tuple(
      ...parameters.map((each) =>
        fc
          .tuple(fc.integer({ min: 0, max: 9 }), part(each, making))
          .map(([drawn, value]): [string, Part][] =>
            drawn < 3 || each.name === making.field ? [[each.name, value]] : [],
          ),
      ),
    )
    .map((found) => found.flat())
  const name = fc.oneof(
    hostileKey,
    fc.constantFrom(
      'limit',
      'cursor',
      'limit[]',
      'a[b]',
      '__proto__[a]',
      ...parameters.map((each) => each.name),
    ),
  )
  const odd = fc.array(
    fc.tuple(
      name,
      fc.oneof(
        rawPart,
        hostileText.map((text) => ({ text })),
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  return fc
    .tuple(own, sometimes(making, fc.constant<[string, Part][]>([]), odd))
    .map(([usual, more]) => [...usual, ...more])
}

const idempotencyKey = fc.oneof(
  { weight: 4, arbitrary: fc.uuid() },
  { weight: 3, arbitrary: fc.constantFrom('key-1', 'key-2', 'key-3') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a'.repeat(255),
      'a'.repeat(256),
      'a'.repeat(5_000),
      'a b',
      '',
      ' ',
      '\u00e9',
      '\t',
    ),
  },
)

const contentType = fc.constantFrom(
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=ISO-8859-1',
    'Application/JSON',
    'application/json; charset=utf-16',
  ],
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/octet-stream',
    'application/json-patch+json',
  ],
  ...['', 'json', '*/*', ';', 'application/json,text/plain', 'application/json; a', 'a'.repeat(2_000)],
)

const oddHeader = fc.oneof(
  fc.constantFrom<[string, string]>(
    ['accept', 'text/html'],
    ['accept', ''],
    ['accept-encoding', 'br;q=1, *;q=0'],
    ['accept-language', 'x'.repeat(3_000)],
    ['content-encoding', 'gzip'],
    ['content-encoding', 'identity'],
    ['content-encoding', ', ,'],
    ['x-request-id', 'client-chosen-1'],
    ['x-request-id', 'short'],
    ['x-request-id', '\u00ff'.repeat(20)],
    ['x-forwarded-for', '1.2.3.4, ::1'],
    ['forwarded', 'for=unknown;host="'],
    ['x-http-method-override', 'DELETE'],
    ['cookie', 'svc.session_token=%ff; =; a'],
    ['origin', 'https://evil.example'],
    ['range', 'bytes=0-0'],
    ['if-none-match', '*'],
    ['if-modified-since', 'x'],
    ['trpc-accept', 'application/jsonl'],
    ['x-svc-team', 'nobody'],
    ['x-svc-team', ''],
  ),
  fc.tuple(fc.constantFrom('idempotency-key', 'x-svc-team', 'cookie', 'accept', 'x-request-id'), latin1Text),
)

function headersOf({ method, body }: Operation, making: Making): fc.Arbitrary<Record<string, string>> {
  const keyed = method === 'POST' ? idempotencyKey : fc.constantFrom('ignored')
  return fc
    .tuple(
      fc.option(keyed, { freq: method === 'POST' ? 3 : 30, nil: undefined }),
      sometimes(
        making,
        fc.constant(body ? 'application/json' : undefined),
        fc.option(contentType, { nil: undefined }),
      ),
      sometimes(making, fc.constant<[string, string][]>([]), fc.array(oddHeader, { maxLength: 2 })),
    )
    .map(([key, type, odd]) => ({
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(type !== undefined && { 'content-type': type }),
      ...Object.fromEntries(odd),
    }))
}

function bodyOf(
  { name, body: schema, method }: Operation,
  making: Making,
  has: boolean,
): fc.Arbitrary<Call['body']> {
  const json = schema ? jsonOf(schema, making) : undefined
  const whole = wholeInputs[name]?.map((input) => JSON.stringify(input))
  const drawn = json && (whole ? fc.oneof(json, whole) : json)
  const usual: fc.Arbitrary<Call['body']> = drawn
    ? drawn.map((text) => ({ json: text }))
    : fc.constant(undefined)
  const oddJson = drawn ?? fc.constantFrom('{}', '{"a":1}', '[]', 'null', '')
  const odd = fc.oneof(
    fc.constant(undefined),
    fc
      .constantFrom('', ' ', '{', '{}', '[]', 'null', '0', '""', '{}{}', '\u00ff', '\u00ef\u00bb\u00bf{}')
      .map((bytes) => ({ bytes })),
    // Truncated, with a byte inserted, and compressed.
    fc
      .tuple(oddJson, fc.nat(2_000))
      .map(([text, at]) => ({ bytes: latin1Of(text).slice(0, at % (text.length + 1)) })),
    fc
      .tuple(oddJson, fc.nat(2_000), fc.nat(255))
      .map(([text, at, byte]) => ({ bytes: inserted(latin1Of(text), at, String.fromCharCode(byte)) })),
    oddJson.map((text) => ({ bytes: gzipSync(text).toString('latin1') })),
    oddJson.map((text) => ({ bytes: Buffer.from(text, 'utf16le').toString('latin1') })),
    oddJson.map((text) => ({ json: text })),
  )
  if (has || method === 'POST' || making.spoiled > 0) return sometimes(making, usual, odd)
  return usual
}

function latin1Of(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function inserted(text: string, at: number, what: string): string {
  const place = at % (text.length + 1)
  return text.slice(0, place) + what + text.slice(place)
}

/** The request for a call, now that existing resources are known. */
export function toRequest(call: Call, pool: Pool, authorization: string | undefined): Sent {
  const { record } = call.path
  const beside = record && 'text' in record ? record.text : undefined
  const write = (each: Part) => ('raw' in each ? each.raw : percentEncoded(pool.resolve(each.text, beside)))
  const path = call.template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = call.path[name]
    return value === undefined ? '' : write(value).replaceAll(/[?#]/g, encodeURIComponent)
  })
  const query = call.query.map(([name, value]) => `${percentEncoded(name)}=${write(value)}`).join('&')
  const { body } = call
  return {
    method: call.method,
    path: path + (query === '' ? '' : `?${query.replaceAll('#', '%23')}`),
    headers: { ...call.headers, ...(authorization !== undefined && { authorization }) },
    body: body && ('json' in body ? Buffer.from(pool.resolve(body.json)) : Buffer.from(body.bytes, 'latin1')),
  }
}

/** Also encodes ill-formed text, whose lone surrogates become what they are in CESU-8. */
function percentEncoded(text: string): string {
  return [...text]
    .map((character) => {
      if (character.isWellFormed()) return encodeURIComponent(character)
      const code = character.charCodeAt(0)
      const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
      return bytes.map((byte) => `%${byte.toString(16)}`).join('')
    })
    .join('')
}
