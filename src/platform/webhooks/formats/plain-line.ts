/** Text that people chose, as one harmless line. */
import { toPrintable } from '../../../lib/names/printable.ts'

/** At most this much is read of a text: what follows would be cut anyway. */
const maxRead = 4_000

/** Any but that of an address, such as `ada@example.com`. */
const mention = /(?<![\p{L}\p{N}])@|@(?!(?:[\p{L}\p{N}-]+\.)+\p{L})/gu

/** Keeps what precedes and what follows apart, and isn't seen. */
const apart = '\u200b'

/**
 * The text without line breaks, control characters and marks of direction, so that no @ mentions anybody.
 */
export function plainLine(text: string): string {
  return toPrintable(text.slice(0, maxRead).toWellFormed().replaceAll(/\s+/gu, ' '))
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replaceAll(mention, `@${apart}`)
}

/**
 * Each character as `toSafe` has it, as many as make `most` UTF-16 units with an ellipsis. Nothing that was
 * escaped is cut in two.
 */
export function cutEscaped(text: string, most: number, toSafe: (character: string) => string): string {
  let kept = ''
  for (const character of text) {
    const next = toSafe(character)
    if (kept.length + next.length >= most) return `${kept}…`
    kept += next
  }
  return kept
}
