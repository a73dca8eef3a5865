/** Decodes the data of records from the form that it has in messages. */
import type { RecordType } from '../../lib/names/record-types.ts'
import { DataProblem, startReading } from './data-reader.ts'
import type { Rdata } from './types/rule.ts'
import { rules } from './types/rules.ts'

/**
 * The data of a record of `type`, names uncompressed; addresses and names aren't validated yet. Returns the
 * problem, to follow the type.
 */
export function readData(type: RecordType, data: Buffer): Rdata | string {
  const { wire } = rules[type]
  if (!wire) return 'has no form in messages'
  const reader = startReading(data)
  try {
    const read = wire.read(reader)
    return typeof read === 'string' || reader.left() === 0 ? read : 'has bytes behind its end'
  } catch (error) {
    if (error instanceof DataProblem) return error.message
    throw error
  }
}
