/** Changes of fields, with both values as short texts for the log of events, and never a secret. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { shortText } from './limit-event-size.ts'

/** A field of what was changed; null where there was, or is, none. */
export const changeSchema = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

export type Change = z.infer<typeof changeSchema>

const maxValueBytes = 256

/** Stands for a secret. */
const hidden = '(secret)'

/** The change of a field, with values of up to 256 bytes: texts as they are, and others as JSON. */
export function changeOf(field: string, before: unknown, after: unknown): Change {
  return { field, before: asText(before), after: asText(after) }
}

/** The change of a field whose values nobody may read: whether it was set, and is set. */
export function secretChange(field: string, wasSet: boolean, isSet: boolean): Change {
  return { field, before: wasSet ? hidden : null, after: isSet ? hidden : null }
}

/** The changes of fields whose values differ, also where the beginnings of both are the same. */
export function differences(before: Record<string, unknown>, after: Record<string, unknown>): Change[] {
  return Object.keys(after)
    .filter((field) => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map((field) => changeOf(field, before[field], after[field]))
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return shortText(typeof value === 'string' ? value : JSON.stringify(value), maxValueBytes)
}
