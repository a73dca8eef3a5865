/** The version of a package manager that wrote a lock file, by the file's own version. */
import type { ManagerName } from '../../../lib/frameworks/manager-table.ts'

/** As many bytes from the beginning of a lock file say which version it has. */
export const lockHeadBytes = 4_096

/**
 * The newest major version of the manager that reads the lock file and leaves its form as it is (pnpm's
 * `lockfileVersion`, Yarn's `__metadata`).
 */
export function versionByLock(name: ManagerName, head: string): string {
  if (name === 'pnpm') return pnpmVersion(Number(/^lockfileVersion: *['"]?(\d+)/m.exec(head)?.[1] ?? '9'))
  if (name === 'yarn') return yarnVersion(/^__metadata:\s+version: *['"]?(\d+)/m.exec(head)?.[1])
  return name === 'bun' ? '1' : 'latest'
}

function pnpmVersion(lock: number): string {
  if (lock >= 9) return '10'
  return lock >= 6 ? '8' : '7'
}

function yarnVersion(lock: string | undefined): string {
  if (lock === undefined) return '1'
  return Number(lock) >= 7 ? '4' : '3'
}
