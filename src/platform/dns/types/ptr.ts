/** PTR: a name that this one stands for, such as that of a host at an address (RFC 1035, section 3.3.12). */
import { readTarget } from '../record-names.ts'
import type { TypeRule } from './rule.ts'
import { nameBytes, nameText, nameWire } from './target.ts'

export const ptr: TypeRule = {
  numbers: [],
  readValue: readTarget,
  dataBytes: ({ value }) => nameBytes(value),
  text: nameText,
  wire: nameWire,
}
