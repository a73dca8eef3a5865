/** Twenty thousand files below ten directories with names of a hundred thousand bytes. */
import type { Attack } from '../attack.ts'
import { commitOf, page, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { push } from './push.ts'

const files = 20_000
const levels = 10
const nameBytes = 100_000

export const deepPaths: Attack = {
  name: 'commits of long paths',
  prepare(target) {
    const entries = Array.from({ length: files }, (_, at) => ({
      mode: '100644' as const,
      name: `f${String(at).padStart(7, '0')}`,
      id: page.id,
    }))
    const trees = [treeOf(entries)]
    for (let level = 0; level < levels; level += 1) {
      const { id } = trees[level] ?? page
      trees.push(treeOf([{ mode: '40000', name: 'd'.repeat(nameBytes), id }]))
    }
    const commit = commitOf(trees.at(-1) ?? page)
    const body = pushOf([{ branch: 'main', to: commit.id }], packOf([page, ...trees, commit]))
    return (signal) =>
      flood({ atOnce: 4, pauseMs: 200, signal }, (index) => push(target, body, { index, signal }))
  },
}
