/** A setting of a project that has a column of its own, which a request sets as it is stored. */
import type { z } from 'zod'
import type { projects } from '../../stores/db/schema/projects.ts'

type Columns = typeof projects.$inferSelect

/** The part of a row that the command uses. */
export type CommandFacts = {
  /** Whether `svc.json` may have it. */
  inFile: boolean
  /** The option of `svc projects set`: flags, and a sentence for its help. */
  option: readonly [flags: string, says: string]
  /** The line of `svc projects show`: its label, and words for values; `#` is the value itself. */
  line: { label: string; words: Partial<Record<'true' | 'false' | 'null' | 'other', string>> }
}

type Row<Column extends keyof Columns, Schema, Output, InFile> = CommandFacts & {
  /** The name of its column in the schema. */
  column: Column
  /** Accepts a wanted value. */
  schema: Schema
  /** The description in a request. */
  says: string
  /** The schema of the value in a record. */
  output: Output
  /** The value of a new project, which null restores. */
  initial: Columns[Column]
  /** Whether only owners set it: what affects access, or can lead to deletions. */
  forOwners: boolean
  inFile: InFile
}

/** The row of one field, with the schema of it in a request: left out, it keeps its value. */
export function field<
  Column extends keyof Columns,
  Schema extends z.ZodType<NonNullable<Columns[Column]>>,
  Output extends z.ZodType<Columns[Column]>,
  InFile extends boolean,
>(row: Row<Column, Schema, Output, InFile>) {
  const { column, schema, says, initial } = row
  return {
    ...row,
    input: schema.nullable().optional().meta({ description: says }),
    /** The column with the wanted value. */
    stored(wanted: unknown): Partial<Pick<Columns, Column>> {
      const set: Partial<Pick<Columns, Column>> = {}
      set[column] = schema.nullable().parse(wanted) ?? initial
      return set
    },
  }
}

/** One property of each row, by the names of the fields. */
export function eachOf<Rows extends Record<string, Record<Key, unknown>>, Key extends string>(
  rows: Rows,
  key: Key,
): { [Name in keyof Rows]: Rows[Name][Key] }
export function eachOf(rows: Record<string, Record<string, unknown>>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row[key]]))
}

/** The values of a new project, by the names of their columns. */
export function initialsOf<Rows extends Record<string, { column: keyof Columns }>>(
  rows: Rows,
): { [Name in keyof Rows as Rows[Name]['column']]: Columns[Rows[Name]['column']] }
export function initialsOf(
  rows: Record<string, { column: keyof Columns; initial: unknown }>,
): Record<string, unknown> {
  return Object.fromEntries(Object.values(rows).map(({ column, initial }) => [column, initial]))
}

/** The values that `map` makes of the rows, by the names of the fields. */
export function mapRows<Rows extends Record<string, object>, Value>(
  rows: Rows,
  map: (row: Rows[keyof Rows], name: keyof Rows) => Value,
): Record<keyof Rows, Value>
export function mapRows<Value>(
  rows: Record<string, object>,
  map: (row: object, name: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, map(row, name)]))
}

/** The names of the rows, in their order. */
export function namesOf<Rows extends Record<string, object>>(rows: Rows): (keyof Rows)[]
export function namesOf(rows: Record<string, object>): string[] {
  return Object.keys(rows)
}
