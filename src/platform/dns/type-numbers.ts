/** The numbers of types in messages (IANA's registry of DNS parameters). */
import type { RecordType } from '../../lib/names/record-types.ts'

/** The number of each type that records are kept of. */
export const typeNumbers = {
  A: 1,
  NS: 2,
  CNAME: 5,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  DS: 43,
  SSHFP: 44,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
  /** No 16-bit number: it can't be queried. */
  ALIAS: 0x1_0000,
} as const satisfies Record<RecordType, number>

/** The number of SOA, of which each zone has one record. */
export const soaNumber = 6

/** Types that zone files have and no records are kept of. */
const otherNames = { SOA: soaNumber, SPF: 99 }

const { ALIAS: _, ...served } = typeNumbers

const names = new Map(Object.entries({ ...served, ...otherNames }).map(([name, number]) => [number, name]))

/** The name of a type that is written by its number, `TYPE65` (RFC 3597, section 5), if it is known. */
export function typeName(text: string): string {
  const [, digits] = /^TYPE(\d{1,5})$/.exec(text) ?? []
  return names.get(Number(digits ?? Number.NaN)) ?? text
}
