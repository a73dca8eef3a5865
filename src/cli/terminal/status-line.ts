/** A line at a terminal that is replaced by the next, and disappears; elsewhere plain lines. */
import type { Io } from '../io.ts'
import { warn } from './output.ts'
import { plain } from './text.ts'

const clearToEnd = '\u001b[K'

/** The width of a terminal that doesn't report one. */
const usualWidth = 80

export type StatusLine = {
  /** Whether the line is replaced, rather than another one written. */
  replaces: boolean
  /** Shows the text, without control characters, in one row. */
  show(text: string): void
  /** Removes it, so that other lines can be written. */
  clear(): void
}

/** On standard error. */
export function createStatusLine({ stderr, env }: Pick<Io, 'stderr' | 'env'>): StatusLine {
  const replaces = Boolean(stderr.isTTY) && env.TERM !== 'dumb'
  let isShown = false
  return {
    replaces,
    show(text) {
      if (!replaces) return warn({ stderr }, text)
      stderr.write(`\r${plain(text).slice(0, (stderr.columns || usualWidth) - 1)}${clearToEnd}`)
      isShown = true
    },
    clear() {
      if (isShown) stderr.write(`\r${clearToEnd}`)
      isShown = false
    },
  }
}
