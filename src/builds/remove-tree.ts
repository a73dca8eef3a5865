/** Removes what a build may have left behind, however deep, and whatever it did to the permissions. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `rm` goes down by directories that it has open; by paths, as Node does, what lies deep enough has none. */
export async function removeTree(path: string): Promise<void> {
  try {
    await run('rm', ['-rf', '--', path])
  } catch {
    // Only who isn't root needs a directory's permission.
    await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => {})
    await run('rm', ['-rf', '--', path])
  }
}
