/** A setting of a project that a request sets as it is stored, in a column or in a part of one. */
import type { z } from 'zod'

/** The part of a row that the command uses. */
export type CommandFacts = {
  /**
   * The option of the command: flags, and a sentence for its help. A switch with `[on|off]` says whether the
   * setting is the opposite of its first value; left out, it is on.
   */
  option: readonly [flags: string, says: string]
  /**
   * The line of `svc projects show`: its label, and words for values; `#` is the value itself. Null without
   * a word has no line. A value in bytes is written with its unit.
   */
  line?: {
    label: string
    words: Partial<Record<'true' | 'false' | 'null' | 'other', string>>
    unit?: 'bytes'
  }
}

/** A stored value as clients see it, where `Word` may stand for true. */
type Seen<Stored, Word> = [Word] extends [never] ? Stored : Word | false

type Row<Columns, Column extends keyof Columns, Word, Schema, Output> = CommandFacts & {
  /** The name of its column in the schema, or of its part of a column. */
  column: Column
  /** Accepts a wanted value. */
  schema: Schema
  /** The description in a request. */
  says?: string
  /** The schema of the value in a record. */
  output: Output
  /** The value at first, which null restores. */
  initial: Columns[Column] & Seen<Columns[Column], NoInfer<Word>>
  /** The word for true, where that is no boolean to clients. */
  word?: Word
}

type MakeRow<Columns, More> = <
  Column extends keyof Columns,
  Schema extends z.ZodType<NonNullable<Seen<Columns[Column], NoInfer<Word>>>>,
  Output extends z.ZodType<Seen<Columns[Column], NoInfer<Word>>>,
  Rest extends More,
  Word extends string = never,
>(
  row: Row<Columns, Column, Word, Schema, Output> & Rest,
) => Row<Columns, Column, Word, Schema, Output> &
  Rest & {
    /** The schema in a request: left out, it keeps its value. */
    input: z.ZodOptional<z.ZodNullable<Schema>>
    /** The column with the wanted value. */
    stored: (wanted: unknown) => Pick<Columns, Column>
  }

type AnyRow = {
  column: string
  schema: z.ZodType
  says?: string
  initial: unknown
  word?: string
}

/** Makes the rows of a table of settings that are stored in `Columns`, each with `More` facts. */
export function rowsIn<Columns, More = unknown>(): MakeRow<Columns, More>
export function rowsIn(): (row: never) => object {
  return (row: AnyRow) => {
    const { column, schema, says, initial, word } = row
    const input = schema.nullable().optional()
    return {
      ...row,
      input: says === undefined ? input : input.meta({ description: says }),
      stored: (wanted: unknown) => {
        const value = schema.nullable().parse(wanted) ?? initial
        return { [column]: word === undefined ? value : value === word }
      },
    }
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

type AnyRows = Record<string, { column: string; initial: unknown }>

/** The columns of rows, with the type that each has in `Columns`. */
type ColumnsOf<Rows extends AnyRows> = {
  [Name in keyof Rows as Rows[Name]['column']]: Rows[Name] extends {
    stored: (wanted: unknown) => Record<Rows[Name]['column'], infer Value>
  }
    ? Value
    : never
}

/** The names of the columns of rows. */
export function columnNames<Rows extends AnyRows>(rows: Rows): Rows[keyof Rows]['column'][]
export function columnNames(rows: AnyRows): string[] {
  return Object.values(rows).map(({ column }) => column)
}

/** The values at first, by the names of their columns. */
export function initialsOf<Rows extends AnyRows>(rows: Rows): ColumnsOf<Rows>
export function initialsOf(rows: AnyRows): Record<string, unknown> {
  return Object.fromEntries(Object.values(rows).map(({ column, initial }) => [column, initial]))
}

/** The values of the columns after changes of what is known, or of the values at first. */
export function columnsAfter<Rows extends AnyRows>(
  rows: Rows,
  known: ColumnsOf<Rows> | undefined,
  changes: { [Name in keyof Rows]?: unknown },
): ColumnsOf<Rows>
export function columnsAfter(
  rows: Record<string, { column: string; stored: (wanted: unknown) => object }>,
  known: Record<string, unknown> | undefined,
  changes: Record<string, unknown>,
): object {
  const columns = Object.entries(rows).map(([name, { column, stored }]) => {
    const wanted = changes[name]
    return wanted === undefined && known ? { [column]: known[column] } : stored(wanted ?? null)
  })
  return Object.assign({}, ...columns)
}

/** The values of the columns as clients see them, by the names of the fields; an empty list is none. */
export function shownBy<Rows extends AnyRows>(
  rows: Rows,
  columns: ColumnsOf<Rows>,
): { [Name in keyof Rows]: unknown }
export function shownBy(
  rows: Record<string, { column: string; word?: string }>,
  columns: Record<string, unknown>,
): Record<string, unknown> {
  return mapRows(rows, ({ column, word }) => {
    const value = columns[column]
    if (Array.isArray(value) && value.length === 0) return null
    return value === true ? (word ?? true) : value
  })
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
