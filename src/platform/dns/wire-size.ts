/** The size of records in a message. */
import type { RecordData } from './types/rule.ts'
import { rules } from './types/rules.ts'

/**
 * Before the data of each record: a pointer to its name, type, class, TTL and length (RFC 1035, section
 * 4.1.3).
 */
export const headBytes = 12

/** The bytes of a record in a response, its names uncompressed. */
export function wireBytes(record: RecordData): number {
  return headBytes + rules[record.type].dataBytes(record)
}
