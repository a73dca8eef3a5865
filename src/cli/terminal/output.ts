/** Output of commands: for a terminal, for a pipe, or as JSON. */
import type { Io } from '../io.ts'
import { escaped, joined, type OwnText, own, plain, style, visible } from './text.ts'

/** Writes a line of output. A string is one line, without control characters. */
export function write({ stdout }: Pick<Io, 'stdout'>, line: string | OwnText): void {
  stdout.write(`${visible(line)}\n`)
}

/** Writes a line to standard error. A string is one line, without control characters. */
export function warn({ stderr, noted }: Pick<Io, 'stderr' | 'noted'>, line: string | OwnText): void {
  stderr.write(`${visible(line)}\n`)
  noted?.(visible(line))
}

/**
 * Writes a text of several lines: to a pipe or a file as it is, to a terminal without other control
 * characters.
 */
export function writeDocument({ stdout }: Pick<Io, 'stdout'>, text: string): void {
  stdout.write(stdout.isTTY ? `${linesOf(text.trimEnd())}\n` : text)
}

/** The text with its own line feeds, but no other control characters. */
export function linesOf(text: string): string {
  return joined(text.split('\n'), '\n').toString()
}

/** Writes the output as one JSON document without control characters. */
export function writeJson({ stdout }: Pick<Io, 'stdout'>, value: unknown): void {
  stdout.write(`${safeJson(value)}\n`)
}

/** Writes one JSON document to standard error. */
export function warnJson({ stderr }: Pick<Io, 'stderr'>, value: unknown): void {
  stderr.write(`${safeJson(value)}\n`)
}

/** The value as JSON, indented or not, with control characters escaped. */
export function safeJson(value: unknown, indent = 2): string {
  return escaped(JSON.stringify(value, null, indent))
}

/**
 * Writes rows: at a terminal in columns under a heading, otherwise separated by tabs, for `cut` and the like.
 * Without rows, a terminal gets the text `none`.
 */
export function writeTable(
  io: Pick<Io, 'stdout' | 'stderr' | 'env'>,
  heading: string[],
  rows: string[][],
  none: string,
): void {
  const safe = rows.map((row) => row.map(plain))
  if (safe.length === 0) warn(io, none)
  else if (io.stdout.isTTY) writeColumns(io, heading, safe)
  else for (const row of safe) write(io, joined(row, '\t'))
}

function writeColumns(io: Pick<Io, 'stdout' | 'env'>, heading: string[], rows: string[][]): void {
  const widths = heading.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(width)),
  )
  const lineOf = (row: string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd()
  write(io, style(io, 'bold', lineOf(heading)))
  for (const row of rows) write(io, lineOf(row))
}

/** Writes the properties of one thing: a name and a value per line. */
export function writeFields(io: Pick<Io, 'stdout' | 'env'>, fields: [name: string, value: string][]): void {
  const safe = fields.map(([name, value]) => [plain(name), value] as const)
  const longest = Math.max(...safe.map(([name]) => width(name)))
  for (const [name, value] of safe) {
    const styled = style(io, 'bold', name)
    if (io.stdout.isTTY) write(io, own`${styled}${' '.repeat(longest - width(name) + 2)}${value}`)
    else write(io, joined([styled, value], '\t'))
  }
}

function width(text: string): number {
  return [...text].length
}
