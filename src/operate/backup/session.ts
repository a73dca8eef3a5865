/** The part of a database that a backup needs, whichever database it is. */

/** A table and those of its columns that are stored. */
export type Table = { name: string; columns: string[] }

/**
 * One connection to a database. Rows are in the text format of COPY, which both engines read and write alike.
 */
export type Session = {
  /** Runs one statement. */
  run(statement: string): Promise<void>
  /** The rows of a query with parameters `$1`, `$2` and so on. */
  rows(query: string, parameters?: string[]): Promise<Record<string, unknown>[]>
  /** All rows of a table. */
  copyOut(table: Table): AsyncIterable<Buffer>
  /** Adds rows to a table. */
  copyIn(table: Table, source: AsyncIterable<Buffer>): Promise<void>
}

/** A name as SQL, whatever it contains. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The columns of a table as SQL, in parentheses. */
export function columnList({ columns }: Table): string {
  return `(${columns.map(quoted).join(', ')})`
}
