/** A: an IPv4 address of a host (RFC 1035, section 3.4.1: four decimal numbers). */
import { isIPv4 } from 'node:net'
import type { DataWriter, TypeRule } from './rule.ts'

export const a: TypeRule = {
  numbers: [],
  readValue(text) {
    if (isIPv4(text)) return text
    return { problem: 'must be an IPv4 address such as 203.0.113.7' }
  },
  dataBytes: () => 4,
  text: {
    takes: ['an IPv4 address'],
    read: ([address = '']) => ({ value: address }),
    write: ({ value }) => value,
  },
  wire: {
    read: (reader) => ({ value: reader.bytes(4).join('.') }),
    leastBytes: 4,
    write: (writer, { value }) => writeAddress(writer, value),
  },
}

function writeAddress(writer: DataWriter, value: string): void {
  if (!isIPv4(value)) throw new RangeError('The A record has no address.')
  for (const number of value.split('.')) writer.byte(Number(number))
}
