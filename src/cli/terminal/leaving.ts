/** What ends with a member who is removed, in words. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { leavingWords } from '../../lib/leaving-words.ts'

type Leaving = RouterOutputs['teams']['leaving']

/** A line for each kind of which there is any, with the names of some. */
export function leavingLines(leaving: Partial<Leaving>): string[] {
  return leavingWords.flatMap(({ kind, one, many }) => {
    const { count, names } = leaving[kind] ?? { count: 0, names: [] }
    if (count === 0) return []
    const more = count > names.length ? ', …' : ''
    return `${count} ${count === 1 ? one : many}: ${names.join(', ')}${more}`
  })
}
