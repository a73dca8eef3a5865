/** A stranger at the forge who opens and closes pull requests of the branches of others. */
import type { Attack } from '../attack.ts'
import { flood } from '../tally.ts'
import { type Hook, inTurn } from '../target.ts'
import { repositoryOf, sendEvent } from './sign.ts'

const commit = 'a'.repeat(40)

function pullRequest(hook: Hook & { branch: string }, number: number, action: string) {
  const repo = repositoryOf(hook)
  return {
    action,
    number,
    pull_request: {
      number,
      title: 'A change',
      user: { login: 'mallory' },
      head: { ref: hook.branch, sha: commit, repo: { ...repo, fork: false } },
      base: { ref: 'main', sha: '1'.repeat(40), repo },
      merged: false,
    },
    sender: { login: 'mallory' },
  }
}

export const pullRequests: Attack = {
  name: 'pull requests of a stranger',
  prepare: (target) => (signal) =>
    flood({ atOnce: 2, pauseMs: 500, signal }, async (index) => {
      const hook = inTurn(target.others, index)
      const number = index + 1
      for (const action of ['opened', 'closed']) {
        const payload = pullRequest(hook, number, action)
        const status = await sendEvent(target, { hook, event: 'pull_request', payload, signal })
        if (status !== 202) return String(status)
      }
      return 'taken'
    }),
}
