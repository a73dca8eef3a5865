/** ALIAS: serves the addresses of another name as this name's own, a replacement for CNAME at an apex. */
import type { RecordType } from '../../../lib/names/record-types.ts'
import { readTarget } from '../record-names.ts'
import type { TypeRule } from './rule.ts'
import { leadsToItself, nameText } from './target.ts'

const answersAddresses: RecordType[] = ['A', 'AAAA', 'ALIAS']

export const alias: TypeRule = {
  numbers: [],
  readValue: readTarget,
  check: leadsToItself,
  excludes(_record, other) {
    return answersAddresses.includes(other.type) ? 'An ALIAS provides all addresses of its name' : undefined
  },
  // Served as addresses, however many there are.
  dataBytes: () => 0,
  text: nameText,
  wire: undefined,
}
