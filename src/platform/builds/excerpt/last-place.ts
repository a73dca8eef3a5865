/** Remembers of which place the lines of a stream speak. */
import type { Quoted } from './gathering.ts'
import { bareOf } from './line-kind.ts'
import { isForeign, isNumbered, isPlace, namesPlace } from './places.ts'

export type LastPlace = {
  /** Takes each line; true if it is a place. */
  see(line: Quoted): boolean
  seeBlank(): void
  /** The place of a message that doesn't say it itself. */
  of(message: string): Quoted | undefined
}

/** How far below a place with its line, as Node prints it, the message may be, with a blank line between. */
const maxAge = 6

/** No place yet. */
export function createLastPlace(): LastPlace {
  let last: { line: Quoted; isNumbered: boolean; isForeign: boolean } | undefined
  let age = 0
  let blanks = 0

  return {
    see(line) {
      age += 1
      const bare = bareOf(line.text)
      if (!isPlace(bare)) return false
      const seen = { line, isNumbered: isNumbered(bare), isForeign: isForeign(bare) }
      // Of a trace in Python the last one in the project's own code.
      if (last && blanks === 0 && seen.isForeign && !last.isForeign) return true
      last = seen
      age = 0
      blanks = 0
      return true
    },
    seeBlank() {
      blanks += 1
    },
    of(message) {
      if (!last || namesPlace(message)) return undefined
      const isNear = blanks === 0 || (last.isNumbered && blanks === 1 && age <= maxAge)
      return isNear ? last.line : undefined
    },
  }
}
