/** A file whose name has a hundred megabytes. */
import type { Attack } from '../attack.ts'
import { commitOf, page, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { push } from './push.ts'

const nameBytes = 100 * 1024 * 1024

export const longNames: Attack = {
  name: 'names of a hundred megabytes',
  prepare(target) {
    const tree = treeOf([{ mode: '100644', name: 'n'.repeat(nameBytes), id: page.id }])
    const commit = commitOf(tree)
    const body = pushOf([{ branch: 'main', to: commit.id }], packOf([page, tree, commit]))
    return (signal) =>
      flood({ atOnce: 3, pauseMs: 200, signal }, (index) => push(target, body, { index, signal }))
  },
}
