/** The lines of a command's output that say why it failed. */
import { cut } from '../../../lib/cut.ts'
import { followStream } from './follow-stream.ts'
import { createGathering } from './gathering.ts'
import type { LineKind } from './kinds.ts'

/** A line as a command printed it, without escape sequences and secrets. */
type PrintedLine = { text: string; stream: 'stdout' | 'stderr' }

/** Each list has at most 10 lines of at most 500 characters, in the order in which they were printed. */
export type Excerpt = {
  /** Takes the next line, and returns its kind. */
  add(line: PrintedLine): LineKind
  /** The first errors, each with the lines that help to understand it. */
  errors(): string[]
  /** The same or, without any, what is likeliest to say why: in the end the last lines of the output. */
  lines(): string[]
}

/** To which lines are looked at and quoted, in UTF-16 units, with an ellipsis. */
const maxLength = 500

/** The excerpt of what one command prints. However much that is, it keeps a bounded part of it. */
export function createExcerpt(): Excerpt {
  const gathering = createGathering()
  const streams = { stdout: followStream(gathering), stderr: followStream(gathering) }
  let count = 0
  return {
    add({ text, stream }) {
      count += 1
      return streams[stream]({ at: count, text: cut(text, maxLength - 1).trimEnd() })
    },
    errors: gathering.errors,
    lines() {
      const errors = gathering.errors()
      return errors.length > 0 ? errors : gathering.likeliest()
    },
  }
}
