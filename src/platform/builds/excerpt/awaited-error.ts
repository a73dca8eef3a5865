/** Knows the error that a heading has announced. */
import type { Quoted } from './gathering.ts'
import type { LineKind } from './kinds.ts'
import { bareOf } from './line-kind.ts'
import { hasWords, indentOf } from './line-shape.ts'
import { isPlace } from './places.ts'

export type AwaitedError = {
  heading: Quoted
  /** Takes the next line: whether it is the error, or isn't yet, or none will come. */
  look(line: Quoted, kind: LineKind): 'error' | 'not yet' | 'none'
}

/** How far below its heading an error may be. */
const maxBelow = 40

/** The error below this heading. */
export function awaitError(heading: Quoted): AwaitedError {
  const bare = bareOf(heading.text)
  // Below Python's, the trace comes first, and is indented.
  const indent = bare.startsWith('Traceback ') ? indentOf(heading.text) : Number.POSITIVE_INFINITY
  let left = maxBelow

  return {
    heading,
    look({ text }, kind) {
      left -= 1
      if (kind === 'frame' || left === 0) return 'none'
      const said = bareOf(text)
      const isSkipped = kind === 'chatter' || kind === 'warning' || !hasWords(said) || isPlace(said)
      return isSkipped || indentOf(text) > indent ? 'not yet' : 'error'
    },
  }
}
