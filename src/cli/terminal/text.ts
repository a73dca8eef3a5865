/**
 * Text for a terminal, which interprets control characters. A string may hold what others wrote, so none of
 * its own get through; line breaks, tabs and styles of ours are a type of their own, which only this file
 * makes.
 */
import { styleText } from 'node:util'
import { isColoured } from '../../lib/log/is-coloured.ts'
import type { Io } from '../io.ts'

/**
 * Escape sequences of ECMA-48: CSI, strings (OSC, DCS and their like), and those that choose a character set.
 * In time that is linear in the text. Of what follows in a sentence of ours, one that has no end takes a word
 * at most.
 */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through.
  /(?:\u001b\[|\u009b)[0-?]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\s\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[(-/][0-~]/g

/**
 * Control characters (C0, DEL, C1), separators of lines and paragraphs, bidirectional marks and halves of
 * surrogate pairs: what terminals interpret.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu

/** The text as one line, without what a terminal would interpret. */
export function plain(text: unknown): string {
  const whole = String(text)
  if (whole.search(unsafe) === -1) return whole
  return whole
    .replace(sequences, '')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(unsafe, '')
}

/**
 * The text with each such character as `\u` and four digits, except line feeds. For JSON, in which that is
 * the same.
 */
export function escaped(json: string): string {
  return json.replace(unsafe, (found) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

class Ours {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Text whose line breaks, tabs and styles are the command's own. */
export type OwnText = Ours

/** The text as the terminal gets it. */
export function visible(text: string | OwnText): string {
  return text instanceof Ours ? text.toString() : plain(text)
}

/** A template: its literal parts are the command's own, its values stay as they are. */
export function own(parts: TemplateStringsArray, ...values: (string | number | OwnText)[]): OwnText {
  const rest = values.map(
    (value, at) => visible(value instanceof Ours ? value : String(value)) + parts[at + 1],
  )
  return new Ours([parts[0], ...rest].join(''))
}

/** The parts, with line breaks, tabs or blanks in between. */
export function joined(parts: (string | OwnText)[], between: '\n' | '\t' | ' ' | ''): OwnText {
  return new Ours(parts.map(visible).join(between))
}

type Format = 'bold' | 'dim' | 'green' | 'yellow' | 'red'

/** The styled text, if the terminal supports it and the user allows it (https://no-color.org). */
export function style({ stdout, env }: Pick<Io, 'stdout' | 'env'>, format: Format, text: string): OwnText {
  // By default Node would look at its own standard output and the environment.
  return new Ours(
    isColoured(stdout, env) ? styleText(format, plain(text), { validateStream: false }) : plain(text),
  )
}
