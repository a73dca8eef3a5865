/** Encodes the data of records. */

import { recordTypes } from '../../../lib/names/record-types.ts'
import type { RecordValue, WireForm } from '../../../platform/dns/types/rule.ts'
import { rules } from '../../../platform/dns/types/rules.ts'
import { writeStrings } from '../../../platform/dns/types/txt.ts'
import { headBytes } from '../../../platform/dns/wire-size.ts'
import type { RRset } from '../zones/zone.ts'
import type { Writer } from './byte-writer.ts'
import { types } from './codes.ts'

/** The forms of the types that records are kept of, by number. */
const forms = new Map<number, WireForm>()
for (const type of recordTypes) {
  const { wire } = rules[type]
  if (wire) forms.set(types[type], wire)
}

/**
 * Encodes a record's data, without its length.
 * @throws when the stored value doesn't match the type.
 */
export function writeRdata(writer: Writer, type: number, record: RecordValue): void {
  const form = forms.get(type)
  if (form) form.write(writer, record)
  else if (type === types.SOA) writeSoa(writer, record.value)
  else if (type === types.HINFO) writeHinfo(writer, record.value)
  else throw new RangeError(`Type ${type} has no encoding.`)
}

/** The shortest data of other types, names compressed. */
const leastName = 2

/** The minimum size of a set, or more than `enough`. */
export function leastBytes({ type, values }: RRset, enough: number): number {
  const form = forms.get(type)
  const least = values.length * (headBytes + (form?.leastBytes ?? leastName))
  if (!form?.addsValue) return least
  let bytes = least
  for (const { value } of values) {
    bytes += value.length
    if (bytes > enough) break
  }
  return bytes
}

function writeSoa(writer: Writer, value: string): void {
  const [mname = '', rname = '', ...numbers] = value.split(' ')
  writer.name(mname, true)
  writer.name(rname, true)
  for (const number of numbers) writer.long(Number(number))
}

/** A CPU without an OS (RFC 8482, section 4.2). */
function writeHinfo(writer: Writer, value: string): void {
  writeStrings(writer, [Buffer.from(value), Buffer.alloc(0)])
}
