/** Adds to an error the lines below it that belong to it. */
import { anyOf } from './any-of.ts'
import type { ErrorLines, Quoted } from './gathering.ts'
import type { LineKind } from './kinds.ts'
import { bareOf } from './line-kind.ts'
import { indentOf } from './line-shape.ts'
import { isForeign, isNumbered, isPlace } from './places.ts'

export type OpenError = {
  /** Takes the next line; false if that, and so any other, doesn't belong to the error. */
  follow(line: Quoted, kind: LineKind): boolean
  followBlank(): void
}

/** The most lines below an error, and of them those that aren't indented. */
const maxRest = 8
const maxFlush = 2

/** Rules, and rows of a frame without anything in it. */
const emptyRow = /^[^\p{L}\d^~]*$/u

/** Rows of code with their frame, and notes that compilers put below them. */
const codeRow = anyOf([
  /^\s*>?\s*\d{1,7}\s*[|│:]/,
  /^\s*(?:[|│╵:`]|[╭╰]─|├─▶|,-|-->|=\s)/,
  /^\s*[\^~]+\s*$/,
  /^\s*(?:file|location|hint|reason|caused by):/,
])

/** The error whose lines are about to come. */
export function openError({ rest }: ErrorLines): OpenError {
  let hasGap = false
  let hasFrame = false
  let flush = 0

  /** Adds the first frame of a trace that is in the project's own code. */
  function followFrame(line: Quoted): boolean {
    hasGap = true
    if (!hasFrame && /:\d/.test(line.text) && !isForeign(line.text)) {
      rest.push(line)
      hasFrame = true
    }
    return true
  }

  return {
    follow(line, kind) {
      if (kind === 'chatter' || emptyRow.test(line.text)) return true
      if (kind === 'warning' || kind === 'summary' || rest.length >= maxRest) return false
      if (kind === 'frame') return followFrame(line)
      const bare = bareOf(line.text)
      const isMore = kind === 'detail' || codeRow.test(line.text) || (isPlace(bare) && isNumbered(bare))
      if (hasGap && !isMore) return false
      if (!isMore && indentOf(line.text) === 0) flush += 1
      if (flush > maxFlush) return false
      hasGap = false
      rest.push(line)
      return true
    },
    followBlank() {
      hasGap = true
    },
  }
}
