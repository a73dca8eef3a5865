/** Whether builds can be run in a sandbox here. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether bubblewrap is installed and may create namespaces. */
export async function hasSandbox(): Promise<boolean> {
  const options = ['--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc']
  return promisify(execFile)('bwrap', [...options, 'true']).then(
    () => true,
    () => false,
  )
}
