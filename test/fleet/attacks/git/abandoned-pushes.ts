/** Pushes whose builds take long, and whose pushers leave. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { commitOf, objectOf, page, pageEntry, treeOf } from '../packs/objects.ts'
import { packOf, pushOf } from '../packs/pack.ts'
import { flood } from '../tally.ts'
import { branchesAt } from './branches.ts'
import { beginPush } from './push.ts'

const stayMs = 3_000

export const abandonedPushes: Attack = {
  name: 'pushes of builds that nobody waits for',
  prepare(target) {
    const build = { build: { build_command: 'sleep 500', output_directory: '.' } }
    const settings = objectOf('blob', Buffer.from(JSON.stringify(build)))
    const tree = treeOf([pageEntry, { mode: '100644', name: 'svc.json', id: settings.id }])
    const commit = commitOf(tree)
    const body = pushOf(branchesAt(commit.id, 4), packOf([page, settings, tree, commit]))
    return (signal) =>
      flood({ atOnce: 16, pauseMs: 500, signal }, async (index) => {
        const sent = beginPush(target, { index, signal })
        const answered = new Promise<string>((resolve) => {
          sent.once('response', ({ statusCode }) => resolve(statusCode === 200 ? 'left' : String(statusCode)))
          sent.once('close', () => resolve('closed'))
        })
        sent.end(body)
        const outcome = await Promise.race([answered, sleep(stayMs, 'left', { signal })])
        await sleep(outcome === 'left' ? stayMs : 0, undefined, { signal })
        sent.destroy()
        return outcome
      })
  },
}
