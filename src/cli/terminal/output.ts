/** Output of commands: for a terminal, for a pipe, or as JSON. */
import { stripVTControlCharacters, styleText } from 'node:util'
import type { Io } from '../io.ts'

/** Control characters (C0, DEL, C1) and bidirectional marks, which terminals interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** The text as one line without control characters. */
export function plain(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\t\r\n]+/g, ' ')
    .replace(unsafe, '')
}

/** Writes a line of output. Text from others must have been through `plain`. */
export function write({ stdout }: Pick<Io, 'stdout'>, line: string): void {
  stdout.write(`${line}\n`)
}

/** Writes a line to standard error. */
export function warn({ stderr }: Pick<Io, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`)
}

/** Writes the output as one JSON document without control characters. */
export function writeJson(io: Pick<Io, 'stdout'>, value: unknown): void {
  write(io, safeJson(value))
}

/** The value as JSON, indented or not, with control characters escaped. */
export function safeJson(value: unknown, indent = 2): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, indent).replace(unsafe, (found) =>
    found === '\n' ? found : escaped(found),
  )
}

/**
 * Writes rows: at a terminal in columns under a heading, otherwise separated by tabs, for `cut` and the like. Without
 * rows, a terminal gets the text `none`.
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
  else for (const row of safe) write(io, row.join('\t'))
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
  const longest = Math.max(...fields.map(([name]) => width(name)))
  for (const [name, value] of fields) {
    const gap = io.stdout.isTTY ? ' '.repeat(longest - width(name) + 2) : '\t'
    write(io, `${style(io, 'bold', name)}${gap}${plain(value)}`)
  }
}

type Format = 'bold' | 'dim' | 'green' | 'yellow' | 'red'

/** The styled text, if the terminal supports it and the user allows it (https://no-color.org). */
export function style({ stdout, env }: Pick<Io, 'stdout' | 'env'>, format: Format, text: string): string {
  const wanted = stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'
  // By default Node would look at its own standard output and the environment.
  return wanted ? styleText(format, text, { validateStream: false }) : text
}

function width(text: string): number {
  return [...text].length
}
