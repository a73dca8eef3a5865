/** The interface of record types. */
import { z } from 'zod'
import { records } from '../../db/schema/records.ts'
import type { Issue } from '../../errors.ts'
import type { Problem } from '../names.ts'

export const recordTypes = records.type.enumValues

export type RecordType = (typeof recordTypes)[number]

/** The 16-bit numbers beside the value of some types. */
export const numberFields = ['priority', 'weight', 'port'] as const

export type NumberField = (typeof numberFields)[number]

export const uint16 = z.int().min(0).max(65_535)

/** A record's data in canonical form, for comparison. Numbers that the type doesn't have are null. */
export type RecordData = { fqdn: string; type: RecordType; value: string } & Record<
  NumberField,
  number | null
>

export type TypeRule = {
  /** The numbers of the type, all required. */
  numbers: readonly NumberField[]
  /** Parses the value to canonical form. */
  readValue(text: string): string | Problem
  /** The problem with a record whose fields are valid by themselves. `zone` is the name of the apex. */
  check?(record: RecordData, zone: string): Issue | undefined
}

/** An issue about a record that points to itself, for types whose value is a name. */
export function leadsToItself({ fqdn, value }: RecordData): Issue | undefined {
  if (fqdn !== value) return undefined
  return { path: 'value', message: `must differ from ${fqdn}, the name of the record itself` }
}

export function isWildcard({ fqdn }: RecordData): boolean {
  return fqdn.startsWith('*.')
}
