/** Splits a build's output into printable lines of bounded length. */
import { StringDecoder } from 'node:string_decoder'
import { collapseReturns, toPrintable } from '../../lib/names/printable.ts'
import type { Redactor } from './redact.ts'

/** Longer lines are cut, in UTF-16 units. */
export const maxLineLength = 8_192

/**
 * Takes bytes and passes lines to `emit`; `cutOff` forgets what of the last line isn't emitted yet, and `end`
 * emits it.
 */
export type LineReader = { write(chunk: Buffer): void; cutOff(): void; end(): void }

/** Secrets are found across chunks and across cuts of long lines. */
export function createLineReader(redactor: Redactor, emit: (text: string) => void): LineReader {
  let decoder = new StringDecoder('utf8')
  // The overlap that is held back, so that no secret is partly emitted.
  const holdBack = Math.max(1, redactor.longest)
  let rest = ''

  function take(text: string): void {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) emitCut(clean(line))
    // Twice the overlap, since all of it is searched each time.
    if (rest.length > 2 * (maxLineLength + holdBack)) rest = emitStart(rest)
  }

  const clean = (line: string) => redactor.redact(toPrintable(collapseReturns(line)))

  function emitCut(line: string): void {
    let left = line
    while (left.length > maxLineLength) left = emitFirst(left)
    emit(left)
  }

  /** Emits everything before a possible secret, and returns the rest. */
  function emitStart(line: string): string {
    let left = clean(line)
    while (left.length > maxLineLength + holdBack) left = emitFirst(left)
    return line.endsWith('\r') ? `${left}\r` : left
  }

  function emitFirst(line: string): string {
    const end = isHighSurrogate(line, maxLineLength - 1) ? maxLineLength - 1 : maxLineLength
    emit(line.slice(0, end))
    return line.slice(end)
  }

  return {
    write: (chunk) => take(decoder.write(chunk)),
    cutOff() {
      decoder = new StringDecoder('utf8')
      rest = ''
    },
    end() {
      take(decoder.end())
      if (rest !== '') emitCut(clean(rest))
      rest = ''
    },
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800
}
