/** Turns what a build writes into harmless lines of bounded length, whatever chunks it comes in. */
import { StringDecoder } from 'node:string_decoder'
import { collapseReturns, makeHarmless } from '../../names/printable.ts'
import type { Redactor } from '../redact.ts'

/** Longer lines are cut, in UTF-16 units. */
export const maxLineLength = 8_192

/** Takes bytes in and hands lines to `emit`; `end` hands over the last one, which may lack its line feed. */
export type LineReader = { write(chunk: Buffer): void; end(): void }

/** Secrets are found across chunks and across the places where long lines are cut. */
export function createLineReader(redactor: Redactor, emit: (text: string) => void): LineReader {
  const decoder = new StringDecoder('utf8')
  // So much is held back that no secret lies partly in what is handed over.
  const holdBack = Math.max(1, redactor.longest)
  let rest = ''

  function take(text: string): void {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) emitCut(clean(line))
    // Twice as long as what stays, as all of it is looked through each time.
    if (rest.length > 2 * (maxLineLength + holdBack)) rest = emitStart(rest)
  }

  const clean = (line: string) => redactor.redact(makeHarmless(collapseReturns(line)))

  function emitCut(line: string): void {
    let left = line
    while (left.length > maxLineLength) left = emitFirst(left)
    emit(left)
  }

  /** Hands over what can't be the start of a secret any more, and returns the rest. */
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
