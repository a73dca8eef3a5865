/** The values of a project's settings, as people read them, and as files have them. */
import type { FieldFacts } from '../platform/projects/describe-fields.ts'
import { namesOf } from '../platform/projects/field.ts'
import { size } from './terminal/format.ts'

/** Whether a value is of the kind that a setting takes; the server checks the rest. */
export function isValueOf<Value>({ takes }: FieldFacts, value: unknown): value is Value {
  if (takes === 'switch') return typeof value === 'boolean'
  if (takes === 'number') return typeof value === 'number'
  if (takes === 'text') return typeof value === 'string'
  if (takes === 'list') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (takes === 'numbers') return Array.isArray(value) && value.every((each) => typeof each === 'number')
  return (typeof value === 'string' || value === false) && takes.includes(value)
}

/** Whether a value is one that a change may have: null restores a default. */
export function isChangeOf<Change>(facts: FieldFacts, value: unknown): value is Change {
  return value === null || isValueOf(facts, value)
}

/** The kind of value that a setting takes, to follow "must be". */
export function kindOf({ takes }: FieldFacts): string {
  if (takes === 'switch') return 'true or false'
  if (takes === 'number') return 'a number'
  if (takes === 'list') return 'a list of strings'
  if (takes === 'numbers') return 'a list of numbers'
  return takes === 'text' ? 'a string' : takes.join(', ')
}

type Value = boolean | number | string | string[] | number[] | null

/**
 * The lines that `svc projects show` has of settings: each a label, and the value in words. Servers of
 * earlier versions don't have all values.
 */
export function linesOf<Name extends string>(
  facts: Record<Name, FieldFacts>,
  values: { [Each in NoInfer<Name>]?: Value },
): [label: string, words: string][] {
  return namesOf(facts).flatMap((name): [string, string][] => {
    const { line } = facts[name]
    const given = values[name]
    const value = Array.isArray(given) ? given.join(', ') || null : given
    if (!line || value === undefined || (value === null && line.words.null === undefined)) return []
    const special = typeof value === 'boolean' || value === null ? line.words[`${value}`] : undefined
    const text = line.unit === 'bytes' ? size(Number(value)) : String(value)
    return [[line.label, special ?? line.words.other?.replace('#', text) ?? text]]
  })
}
