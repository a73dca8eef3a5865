/** A commit with a message of two hundred megabytes, which twenty branches have. */
import type { Attack } from '../attack.ts'
import { commitOf, page, pageEntry, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { branchesAt } from './branches.ts'
import { push } from './push.ts'

const messageBytes = 200 * 1024 * 1024

export const longMessages: Attack = {
  name: 'commits of long messages',
  prepare(target) {
    const tree = treeOf([pageEntry])
    const commit = commitOf(tree, 'm'.repeat(messageBytes))
    const body = pushOf(branchesAt(commit.id, 20), packOf([page, tree, commit]))
    return (signal) =>
      flood({ atOnce: 3, pauseMs: 200, signal }, (index) => push(target, body, { index, signal }))
  },
}
