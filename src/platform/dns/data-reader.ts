/** Reads the data of records as messages have it, names uncompressed. */
import type { DataReader } from './types/rule.ts'

/** Why data isn't that of its type; the message follows the type. */
export class DataProblem extends Error {}

/** RFC 1035, section 2.3.4. */
const maxLabelBytes = 63
const maxNameBytes = 255

/** A label that has no need of escapes. */
const plainLabel = /^[!-[\]-~]+$/

/** A reader of `data` from its beginning. */
export function startReading(data: Buffer): DataReader {
  let at = 0

  function take(count: number): Buffer {
    if (at + count > data.length) throw new DataProblem('ends too early')
    at += count
    return data.subarray(at - count, at)
  }

  function readName(): string {
    const start = at
    const labels: string[] = []
    for (let length = take(1)[0] ?? 0; length > 0; length = take(1)[0] ?? 0) {
      if (length >= 0xc0) throw new DataProblem('has a compressed name, which points into a message')
      if (length > maxLabelBytes) throw new DataProblem(`has a label of more than ${maxLabelBytes} bytes`)
      labels.push(take(length).toString('latin1'))
      if (at - start >= maxNameBytes) throw new DataProblem(`has a name of more than ${maxNameBytes} bytes`)
    }
    if (labels.some((label) => !plainLabel.test(label) || label.includes('.'))) {
      throw new DataProblem('has a name that needs escapes')
    }
    return labels.length === 0 ? '.' : labels.join('.').toLowerCase()
  }

  return {
    left: () => data.length - at,
    byte: () => take(1).readUInt8(),
    short: () => take(2).readUInt16BE(),
    long: () => take(4).readUInt32BE(),
    bytes: take,
    string: () => take(take(1).readUInt8()),
    name: readName,
  }
}
