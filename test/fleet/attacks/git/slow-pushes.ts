/** Packs that come at a thousand bytes a second, four of each team. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { commitOf, objectOf, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { beginPush } from './push.ts'

const beginningBytes = 100_000
const bytesASecond = 1_000

export const slowPushes: Attack = {
  name: 'packs of a thousand bytes a second',
  prepare(target) {
    const file = objectOf('blob', randomBytes(1024 * 1024))
    const tree = treeOf([{ mode: '100644', name: 'file.bin', id: file.id }])
    const commit = commitOf(tree)
    const body = pushOf([{ branch: 'main', to: commit.id }], packOf([file, tree, commit]))
    const atOnce = 4 * target.teams.length * target.apiPorts.length
    return (signal) =>
      flood({ atOnce, pauseMs: 100, signal }, async (index) => {
        const sent = beginPush(target, { index, project: `slow${index}`, signal }, body.length)
        let outcome = 'closed'
        sent.once('response', ({ statusCode }) => {
          outcome = String(statusCode)
          sent.destroy()
        })
        sent.write(body.subarray(0, beginningBytes))
        for (let at = beginningBytes; !sent.destroyed && at < body.length; at += bytesASecond) {
          await sleep(1_000, undefined, { signal })
          sent.write(body.subarray(at, at + bytesASecond))
        }
        return outcome
      })
  },
}
