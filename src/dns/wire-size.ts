/** The size of records in a message. */
import type { RecordData } from './types/rule.ts'

/** A pointer to the name, type, class, TTL and length (RFC 1035, section 4.1.3). */
const headBytes = 12

/** The bytes of a record in a response, its names uncompressed. */
export function wireBytes({ type, value }: RecordData): number {
  return headBytes + dataBytes[type](value)
}

const nameBytes = (name: string) => (name === '.' ? 1 : name.length + 2)

const dataBytes: Record<RecordData['type'], (value: string) => number> = {
  A: () => 4,
  AAAA: () => 16,
  // Served as addresses, however many there are.
  ALIAS: () => 0,
  CAA: (value) => value.length,
  CNAME: nameBytes,
  MX: (value) => 2 + nameBytes(value),
  NS: nameBytes,
  SRV: (value) => 6 + nameBytes(value),
  TXT: (value) => Buffer.byteLength(value) + Math.ceil(Buffer.byteLength(value) / 255),
}
