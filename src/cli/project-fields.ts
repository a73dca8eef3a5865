/** The values of a project's settings, as people write and read them. */
import type { RouterInputs } from '../api/client/index.ts'
import type { FieldFacts } from '../platform/projects/describe-fields.ts'
import { fieldFacts } from '../platform/projects/field-facts.ts'
import type { FieldName } from '../platform/projects/fields.ts'

/** Changes of settings; null restores a default. */
export type FieldChanges = Pick<RouterInputs['projects']['put'], FieldName>

/** Whether a value is of the kind that the setting takes; the server checks the rest. */
export function isValueOf<Name extends FieldName>(
  name: Name,
  value: unknown,
): value is NonNullable<FieldChanges[Name]> {
  const { takes } = fieldFacts[name]
  if (takes === 'switch') return typeof value === 'boolean'
  if (takes === 'number') return typeof value === 'number'
  return typeof value === 'string' && (takes === 'text' || takes.includes(value))
}

/** The kind of value that a setting takes, to follow "must be". */
export function kindOf({ takes }: FieldFacts): string {
  if (takes === 'switch') return 'true or false'
  if (takes === 'number') return 'a number'
  return takes === 'text' ? 'a string' : takes.join(', ')
}

/** A value in words, for the line that `svc projects show` has of the setting. */
export function wordsFor(
  { line: { words } }: Pick<FieldFacts, 'line'>,
  value: boolean | number | string | null,
): string {
  const special = typeof value === 'boolean' || value === null ? words[`${value}`] : undefined
  return special ?? words.other?.replace('#', String(value)) ?? String(value)
}
