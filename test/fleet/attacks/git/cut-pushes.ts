/** Pushes of 150 MB that are cut off after 120. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { commitOf, objectOf, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { beginPush } from './push.ts'

const fileBytes = 150 * 1024 * 1024
const sentBytes = 120 * 1024 * 1024

export const cutPushes: Attack = {
  name: 'pushes that are cut off',
  prepare(target) {
    const file = objectOf('blob', randomBytes(fileBytes))
    const tree = treeOf([{ mode: '100644', name: 'large.bin', id: file.id }])
    const commit = commitOf(tree)
    const body = pushOf([{ branch: 'main', to: commit.id }], packOf([file, tree, commit]))
    return (signal) =>
      flood({ atOnce: 4, pauseMs: 500, signal }, async (index) => {
        const sent = beginPush(target, { index, project: `cut${index % 8}`, signal }, body.length)
        const outcome = await new Promise<string>((resolve) => {
          sent.once('response', ({ statusCode }) => resolve(String(statusCode)))
          sent.once('close', () => resolve('closed'))
          sent.write(body.subarray(0, sentBytes), () => resolve('cut'))
        })
        sent.destroy()
        return outcome
      })
  },
}
