/** Where a site's files come from, as far as git knows. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Nobody should wait for a repository that is slow to answer. */
const timeoutMs = 2_000

/** As much as a deployment's meta takes of one value. */
const maxLength = 1_000

/** `branch`, `commit` and `message` of the commit that is checked out in `directory`; nothing where there is none. */
export async function gitMeta(directory: string): Promise<Record<string, string>> {
  // Starting git takes longer than deploying a small change.
  if (!isInRepository(directory)) return {}
  const { execFile } = await import('node:child_process')
  const args = ['-C', directory, 'log', '-1', '--no-show-signature', '--format=%H%x00%s%x00%D']
  return new Promise((resolve) => {
    execFile('git', args, { timeout: timeoutMs, windowsHide: true }, (error, output) => {
      resolve(error ? {} : readLog(output.trimEnd()))
    })
  })
}

function isInRepository(directory: string): boolean {
  const above = dirname(directory)
  return existsSync(join(directory, '.git')) || (above !== directory && isInRepository(above))
}

/** The parts are the commit, its subject, and the names that point to it, such as `HEAD -> main, origin/main`. */
function readLog(line: string): Record<string, string> {
  const [commit = '', message = '', names = ''] = line.split('\u0000')
  const [, branch = ''] = /^HEAD -> ([^,]+)/.exec(names) ?? []
  const meta = { branch, commit, message: message.slice(0, maxLength).toWellFormed() }
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== ''))
}
