/** The table of a project's settings as data, without its schemas. */
import { z } from 'zod'
import { type CommandFacts, mapRows } from './field.ts'
import { type FieldName, fields } from './fields.ts'

export type FieldFacts = CommandFacts & {
  /** The values that it takes: these words, or all of a kind. */
  takes: 'switch' | 'number' | 'text' | string[]
  /** The value of a new project, which null restores. */
  initial: boolean | number | string | null
}

export const describedFields: Record<FieldName, FieldFacts> = mapRows(
  fields,
  ({ schema, initial, inFile, option, line }) => ({ takes: takesOf(schema), initial, inFile, option, line }),
)

function takesOf(schema: z.ZodType): FieldFacts['takes'] {
  const { type, enum: words } = z.toJSONSchema(schema)
  if (words) return words.map(String)
  if (type === 'boolean') return 'switch'
  return type === 'string' ? 'text' : 'number'
}
