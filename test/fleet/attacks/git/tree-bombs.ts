/** Directories within directories, fifty in each, eight levels deep, that have no file in the end. */
import type { Attack } from '../attack.ts'
import { commitOf, page, pageEntry, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { branchesAt } from './branches.ts'
import { push } from './push.ts'

const width = 50
const depth = 8

export const treeBombs: Attack = {
  name: 'trees without files',
  prepare(target) {
    const trees = [treeOf([])]
    for (let level = 1; level <= depth; level += 1) {
      const { id } = trees[level - 1] ?? page
      const below = Array.from({ length: width }, (_, at) => ({
        mode: '40000' as const,
        name: `d${String(at).padStart(3, '0')}`,
        id,
      }))
      trees.push(treeOf(level === depth ? [...below, pageEntry] : below))
    }
    const commit = commitOf(trees.at(-1) ?? page)
    const body = pushOf(branchesAt(commit.id, 20), packOf([page, ...trees, commit]))
    return (signal) =>
      flood({ atOnce: 4, pauseMs: 200, signal }, (index) => push(target, body, { index, signal }))
  },
}
