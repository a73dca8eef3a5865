/** The tables of a project's settings as data, without their schemas. */
import { z } from 'zod'
import { isRecord } from '../../lib/is-record.ts'
import type { BuildSettings, RuntimeSettings } from '../../stores/db/schema/projects.ts'
import { buildFields } from './build-fields.ts'
import { type CommandFacts, initialsOf, mapRows } from './field.ts'
import { type FieldName, fields } from './fields.ts'
import { repositoryFields } from './repository-fields.ts'
import { runtimeFields } from './runtime-fields.ts'

export type FieldFacts = CommandFacts & {
  /** The values that it takes: these words, or false, or all of a kind; a list is of texts. */
  takes: 'switch' | 'number' | 'text' | 'list' | 'numbers' | (string | false)[]
  /** The least number, also in a list of them. */
  least?: number
  /** The value at first, which null restores. */
  initial: boolean | number | string | string[] | number[] | null
}

export const describedFields: Record<FieldName, FieldFacts & { inFile: boolean }> = mapRows(
  fields,
  (row) => ({ ...factsOf(row), inFile: row.inFile }),
)

export const describedBuild: Record<keyof typeof buildFields, FieldFacts> = mapRows(buildFields, factsOf)

export const describedRuntime: Record<keyof typeof runtimeFields, FieldFacts> = mapRows(
  runtimeFields,
  factsOf,
)

export const describedRepository: Record<keyof typeof repositoryFields, FieldFacts> = mapRows(
  repositoryFields,
  factsOf,
)

/** The build settings of a new project. */
export const initialBuild: BuildSettings = initialsOf(buildFields)

/** The settings of the server of a new project. */
export const initialRuntime: RuntimeSettings = initialsOf(runtimeFields)

type Described = CommandFacts & Pick<FieldFacts, 'initial'> & { schema: z.ZodType }

function factsOf({ schema, initial, option, line }: Described): FieldFacts {
  return { ...kindOf(schema), initial, option, ...(line && { line }) }
}

function kindOf(schema: z.ZodType): Pick<FieldFacts, 'takes' | 'least'> {
  const { type, enum: words, anyOf, minimum, items } = z.toJSONSchema(schema)
  if (words) return { takes: words.map(String) }
  if (anyOf) return { takes: wordsOf(anyOf) }
  if (type === 'boolean') return { takes: 'switch' }
  if (type === 'string') return { takes: 'text' }
  if (type === 'array' && !isOfNumbers(items)) return { takes: 'list' }
  const least = type === 'array' && isOfNumbers(items) ? items.minimum : minimum
  return { takes: type === 'array' ? 'numbers' : 'number', ...(least !== undefined && { least }) }
}

function isOfNumbers(items: unknown): items is { minimum?: number } {
  return isRecord(items) && items.type === 'integer'
}

/** False stands last. */
function wordsOf(literals: readonly object[]): (string | false)[] {
  const values = literals.map((each) => ('const' in each ? each.const : undefined))
  const words = values.filter((value) => typeof value === 'string')
  return values.includes(false) ? [...words, false] : words
}
