/** The interface of record types: each has a file here, and a line in `rules.ts`. */
import type { Issue } from '../../../lib/errors.ts'
import type { RecordType } from '../../../lib/names/record-types.ts'
import type { Problem } from '../record-names.ts'

/** The 16-bit numbers beside the value of some types. */
export const numberFields = ['priority', 'weight', 'port'] as const

export type NumberField = (typeof numberFields)[number]

/** The fields of a record that depend on its type. Numbers that the type doesn't have are null. */
export type RecordValue = {
  value: string
  /** The strings that make up the text of a TXT; null for the usual ones of 255 bytes. */
  strings: string[] | null
} & Record<NumberField, number | null>

/** A record's data in canonical form, for comparison. */
export type RecordData = RecordValue & { fqdn: string; type: RecordType }

export type TypeRule = {
  /** The numbers of the type, all required. */
  numbers: readonly NumberField[]
  /** Parses the value to canonical form. */
  readValue(text: string): string | Problem
  /**
   * Parses a value of a request that is written in the quotes of zone files; undefined for one that is
   * written as `readValue` takes it.
   */
  readQuoted?(text: string): Pick<Rdata, 'value' | 'strings'> | Problem | undefined
  /** The strings in responses of a value that `readQuoted` would change; null for others. */
  returnedStrings?(value: string): string[] | null
  /** Parses the strings of a value to canonical form, for the type that has some. */
  readStrings?(strings: string[], value: string): string[] | null | Problem
  /** The problem with a record whose fields are valid by themselves. `zone` is the name of the apex. */
  check?(record: RecordData, zone: string): Issue | undefined
  /** Why a record of the type and another one can't coexist at one name, whichever is first. */
  excludes?(record: RecordData, other: RecordData): string | undefined
  /** The type of records without which those of this type mean nothing at a name. */
  needs?: RecordType
  /** The name that clients look up next, whose addresses belong to a response. */
  leadsTo?(record: RecordValue): string
  /** The bytes of the data in a response, its names uncompressed. */
  dataBytes(record: RecordValue): number
  text: TextForm
  /** Undefined for a type that is never served as itself. */
  wire: WireForm | undefined
}

/** The data of a record in a master file. Addresses and names aren't validated yet. */
export type Rdata = {
  value: string
  strings?: string[]
  /** Says, for people, which part isn't kept as it is written. */
  note?: string
} & Partial<Record<NumberField, number>>

/** The data in master files (RFC 1035, section 5). */
export type TextForm = {
  /** The tokens after the type, for people. */
  takes: readonly string[]
  /** Whether more than these may follow. */
  repeats?: true
  /** Whether a quote may begin within a token, behind its `=` (RFC 9460, section 2.1). */
  hasPairs?: true
  /** Parses as many tokens. Returns the problem, to follow the type. */
  read(texts: string[], origin: string): Rdata | string
  write(record: RecordValue): string
}

/** The data in messages. */
export type WireForm = {
  /** Decodes it. Returns the problem, to follow the type. @throws DataProblem */
  read(reader: DataReader): Rdata | string
  /** The shortest data, names compressed. */
  leastBytes: number
  /** Whether each character of the value takes at least one byte more. */
  addsValue?: true
  /** @throws when the stored value doesn't match the type. */
  write(writer: DataWriter, record: RecordValue): void
}

/** Encoded data from its beginning. Methods take what they return, and throw `DataProblem` at the end. */
export type DataReader = {
  /** How many bytes are left. */
  left(): number
  byte(): number
  short(): number
  long(): number
  bytes(count: number): Buffer
  /** A character string, which its length precedes (RFC 1035, section 3.3). */
  string(): Buffer
  /** An uncompressed name in lower case; `.` is the root. */
  name(): string
}

/** Where encoded data goes: a message of the name server. */
export type DataWriter = {
  byte(value: number): void
  short(value: number): void
  bytes(value: Uint8Array): void
  /** `''` is the root. */
  name(name: string, isCompressed: boolean): void
  /** @throws when the message exceeds the maximum. */
  check(): void
}

/** Whether the record is for any name below another. */
export function isWildcard({ fqdn }: RecordData): boolean {
  return fqdn.startsWith('*.')
}
