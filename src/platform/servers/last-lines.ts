/** Passes the lines of a command on as far as there is room, and keeps the last ones. */
import { cut } from '../../lib/cut.ts'
import { lineBytes } from '../sandbox/limits.ts'
import type { ServerStart } from './server-process.ts'

/** The lines that are passed on, in UTF-16 units. */
const maxPassed = 1024 * 1024

/** The bounds of an excerpt. */
const maxLines = 10
const maxLineLength = 500

/** `onLine` takes each line; `excerpt` has the last ones, if there are any. */
export function createLastLines({ onLine, onDropped }: Pick<ServerStart, 'onLine' | 'onDropped'>): {
  onLine: ServerStart['onLine']
  excerpt: () => { excerpt?: string[] }
} {
  const last: string[] = []
  let left = maxPassed
  return {
    onLine(line) {
      last.push(cut(line.text, maxLineLength))
      if (last.length > maxLines) last.shift()
      left -= line.text.length + lineBytes
      if (left >= 0) onLine(line)
      else onDropped(1)
    },
    excerpt: () => (last.length > 0 ? { excerpt: last } : {}),
  }
}
