/** What makes a record of one type valid. */
import { z } from 'zod'
import { records } from '../../db/schema/records.ts'
import type { Issue } from '../../errors.ts'
import type { Problem } from '../names.ts'

export const recordTypes = records.type.enumValues

export type RecordType = (typeof recordTypes)[number]

/** The numbers that stand beside the value of some types, each of 16 bits. */
export const numberFields = ['priority', 'weight', 'port'] as const

export type NumberField = (typeof numberFields)[number]

export const uint16 = z.int().min(0).max(65_535)

/** What a record says, in canonical form: two that say the same are equal. Numbers that the type doesn't have are null. */
export type RecordData = { fqdn: string; type: RecordType; value: string } & Record<
  NumberField,
  number | null
>

export type TypeRule = {
  /** Which numbers the type has; it needs them all. */
  numbers: readonly NumberField[]
  /** The value in canonical form. */
  readValue(text: string): string | Problem
  /** What is wrong with a record whose fields are each in order. `zone` is the name of the apex. */
  check?(record: RecordData, zone: string): Issue | undefined
}

/** An issue about a record that leads back to itself, for types whose value is a name. */
export function leadsToItself({ fqdn, value }: RecordData): Issue | undefined {
  if (fqdn !== value) return undefined
  return { path: 'value', message: `must be another name than ${fqdn}, where the record itself stands` }
}

export function isWildcard({ fqdn }: RecordData): boolean {
  return fqdn.startsWith('*.')
}
