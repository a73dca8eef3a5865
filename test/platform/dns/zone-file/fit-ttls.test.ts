/** Which TTLs the records of a file get. */
import { expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { fitTtls } from '../../../../src/platform/dns/zone-file/fit-ttls.ts'
import { parseZone } from '../../../../src/platform/dns/zone-file/parse.ts'

const fitted = (text: string) => {
  const { records, adjusted } = fitTtls(atOnce(parseZone(text, 'example.com')).records)
  return { ttls: records.map(({ ttl }) => ttl), adjusted }
}

it('keeps TTLs within the limits', () => {
  expect(fitted('a 60 A 192.0.2.1\nb 86400 A 192.0.2.1')).toEqual({ ttls: [60, 86_400], adjusted: [] })
})

it('moves others to the nearest limit, with a warning', () => {
  expect(fitted('a 1 A 192.0.2.1\nb 604800 A 192.0.2.1')).toEqual({
    ttls: [60, 86_400],
    adjusted: [
      { line: 1, message: 'a.example.com A: the TTL 1 becomes 60' },
      { line: 2, message: 'b.example.com A: the TTL 604800 becomes 86400' },
    ],
  })
})

it('gives all records of a name and type their lowest TTL', () => {
  expect(fitted('a 600 A 192.0.2.1\na 300 A 192.0.2.2\na 900 AAAA 2001:db8::1')).toEqual({
    ttls: [300, 300, 900],
    adjusted: [{ line: 1, message: 'a.example.com A: the TTL 600 becomes 300' }],
  })
})
