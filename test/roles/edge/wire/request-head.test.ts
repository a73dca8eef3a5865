/** The fields of a request that determine its response. */
import { expect, it } from 'vitest'
import { maxHeaderFields, readHead } from '../../../../src/roles/edge/wire/request-head.ts'

it('finds fields whatever the case of their names', () => {
  const head = readHead([
    'HOST',
    'a',
    'x-other',
    'b',
    'Range',
    'bytes=0-1',
    'IF-none-MATCH',
    '"c"',
    'X-Svc-Bypass',
    'd',
  ])
  expect(head).toMatchObject({
    host: 'a',
    range: 'bytes=0-1',
    ifNoneMatch: '"c"',
    bypass: 'd',
    cookie: undefined,
  })
})

it('joins repeated fields', () => {
  const head = readHead(['Cookie', 'a=1', 'If-None-Match', '"a"', 'cookie', 'b=2', 'if-none-match', '"b"'])
  expect(head).toMatchObject({ cookie: 'a=1; b=2', ifNoneMatch: '"a", "b"' })
})

it('400 for two hosts or two credentials, even if they are the same', () => {
  expect(readHead(['Host', 'a', 'Host', 'a'])).toBe(400)
  expect(readHead(['Host', 'a', 'Authorization', 'Bearer x', 'AUTHORIZATION', 'Bearer x'])).toBe(400)
  expect(readHead(['Host', '', 'host', 'a'])).toBe(400)
})

it('400 for a transfer coding other than chunked', () => {
  expect(readHead(['Host', 'a', 'Transfer-Encoding', 'Chunked'])).toBeTypeOf('object')
  expect(readHead(['Host', 'a', 'Transfer-Encoding', 'xchunked'])).toBe(400)
  expect(readHead(['Host', 'a', 'Transfer-Encoding', 'chunked'], '1.0')).toBe(400)
  expect(readHead(['Host', 'a', 'Transfer-Encoding', 'chunked', 'transfer-encoding', 'chunked'])).toBe(400)
})

it('431 for one field more than allowed', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, '1']).flat()
  expect(readHead(fields(maxHeaderFields))).toBeTypeOf('object')
  expect(readHead(fields(maxHeaderFields + 1))).toBe(431)
})
