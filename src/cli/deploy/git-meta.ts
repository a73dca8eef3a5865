/** The origin of a site's files, from git. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How long to wait for a slow repository. */
const timeoutMs = 2_000

/** The server's limit for one value of meta. */
const maxLength = 1_000

/** `branch`, `commit` and `message` of the commit checked out in `directory`; empty without one. */
export async function gitMeta(directory: string): Promise<Record<string, string>> {
  // Reads .git first: starting git takes longer than deploying a small change.
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

/** The parts: commit, subject, and refs such as `HEAD -> main, origin/main`. */
function readLog(line: string): Record<string, string> {
  const [commit = '', message = '', names = ''] = line.split('\u0000')
  const [, branch = ''] = /^HEAD -> ([^,]+)/.exec(names) ?? []
  const meta = { branch, commit, message: message.slice(0, maxLength).toWellFormed() }
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== ''))
}
