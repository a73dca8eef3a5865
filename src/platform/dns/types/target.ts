/** Shared by types whose data is a name, or ends with one. */
import type { Issue } from '../../../lib/errors.ts'
import { nameOf } from '../master-text.ts'
import type { Rdata, RecordData, TextForm, WireForm } from './rule.ts'

/** An issue about a record that points to itself. */
export function leadsToItself({ fqdn, value }: RecordData): Issue | undefined {
  if (fqdn !== value) return undefined
  return { path: 'value', message: `must differ from ${fqdn}, the name of the record itself` }
}

/** The bytes of a name without compression. */
export function nameBytes(name: string): number {
  return name === '.' ? 1 : name.length + 2
}

/** A name for a master file, with the dot that keeps it from being relative. */
export function absolute(name: string): string {
  return name === '.' ? name : `${name}.`
}

/** `.` is the root: no mail (RFC 7505), no service (RFC 2782). */
export function targetOf(value: string): string {
  return value === '.' ? '' : value
}

/**
 * The record whose target is the token `word`, with the digits of its numbers. Returns the problem, to follow
 * the type.
 */
export function withTarget(word: string, origin: string, numbers: Record<string, string>): Rdata | string {
  const value = nameOf(word, origin)
  if (value === undefined) return 'has a name that needs escapes'
  const wrong = Object.entries(numbers).find(([, digits]) => !/^\d{1,5}$/.test(digits))
  if (wrong) return `needs a whole number as ${wrong[0]}`
  return {
    value,
    ...Object.fromEntries(Object.entries(numbers).map(([key, digits]) => [key, Number(digits)])),
  }
}

/** For types whose data is nothing but a name. */
export const nameText: TextForm = {
  takes: ['a name'],
  read: ([name = ''], origin) => withTarget(name, origin, {}),
  write: ({ value }) => absolute(value),
}

/** For types whose data is nothing but a name. */
export const nameWire: WireForm = {
  read: (reader) => ({ value: reader.name() }),
  leastBytes: 2,
  write: (writer, { value }) => writer.name(targetOf(value), true),
}
