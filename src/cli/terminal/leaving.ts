/** The words for what ends with a member who is removed, and for what goes on. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { leavingWords, stayingWords } from '../../lib/leaving-words.ts'

type Leaving = RouterOutputs['teams']['leaving']

/** A line for each kind of which there is any, with the names of some, of what ends and of what goes on. */
export function leavingLines(leaving: Partial<Leaving>): { ending: string[]; staying: string[] } {
  return { ending: linesOf(leavingWords, leaving), staying: linesOf(stayingWords, leaving) }
}

type Words = { kind: keyof Leaving; one: string; many: string }

function linesOf(words: readonly Words[], leaving: Partial<Leaving>): string[] {
  return words.flatMap(({ kind, one, many }) => {
    const { count, names } = leaving[kind] ?? { count: 0, names: [] }
    if (count === 0) return []
    const more = count > names.length ? ', …' : ''
    return `${count} ${count === 1 ? one : many}: ${names.join(', ')}${more}`
  })
}
