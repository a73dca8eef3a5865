/** Removes what builds left behind. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Removes a directory with everything in it, however deep, and despite its permissions: `rm` descends by open
 * directories, where Node uses paths, which have a maximum length.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await run('rm', ['-rf', '--', path])
  } catch {
    // Only non-root users need permissions.
    await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => {})
    await run('rm', ['-rf', '--', path])
  }
}
