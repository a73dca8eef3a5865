/** Ten files of 85 MB that differ by some bytes, on twenty branches: a pack of 86 MB, and 17 GB to read. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { commitOf, objectOf, treeOf } from '../packs/objects.ts'
import { deltaOf, packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { branchesAt } from './branches.ts'
import { push } from './push.ts'

const fileBytes = 85 * 1024 * 1024
const files = 10

export const largeDeltas: Attack = {
  name: 'large files as deltas of one another',
  prepare(target) {
    const base = objectOf('blob', randomBytes(fileBytes))
    const ends = Array.from({ length: files }, (_, at) => Buffer.from(`the end of file ${at}`))
    const entries = ends.map((end, at) => {
      const content = Buffer.from(base.content)
      end.copy(content, content.length - end.length)
      return { mode: '100644' as const, name: `file-${at}.bin`, id: objectOf('blob', content).id }
    })
    const tree = treeOf(entries)
    const commit = commitOf(tree)
    const pack = packOf(
      [base, tree, commit],
      ends.map((end) => deltaOf(base, end)),
    )
    const body = pushOf(branchesAt(commit.id, 20), pack)
    return (signal) =>
      flood({ atOnce: 2, pauseMs: 500, signal }, (index) => push(target, body, { index, signal }))
  },
}
