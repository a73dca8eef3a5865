/** The versions of a package manager that fit a lock file, by the file's own version. */
import type { ManagerName } from '../../../lib/frameworks/manager-table.ts'

/** As many bytes from the beginning of a lock file say which version it has. */
export const lockHeadBytes = 4_096

/**
 * The major versions of the manager that read the lock file and leave its form as it is, the best one first
 * (pnpm's `lockfileVersion`, Yarn's `__metadata`).
 */
export function majorsByLock(name: ManagerName, head: string): [number, ...number[]] {
  if (name === 'pnpm') return pnpmMajors(Number(/^lockfileVersion: *['"]?(\d+)/m.exec(head)?.[1] ?? '9'))
  if (name === 'yarn') return yarnMajors(/^__metadata:\s+version: *['"]?(\d+)/m.exec(head)?.[1])
  return [1]
}

function pnpmMajors(lock: number): [number, ...number[]] {
  if (lock >= 9) return [10, 9, 11]
  return lock >= 6 ? [8] : [7, 6]
}

function yarnMajors(lock: string | undefined): [number, ...number[]] {
  if (lock === undefined) return [1]
  return Number(lock) >= 7 ? [4] : [3, 2]
}
