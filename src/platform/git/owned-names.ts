/** Names of files that say which process made them, so that what a process left that died is known. */
import { randomBytes } from 'node:crypto'
import { isRunning as isProcessRunning } from '../../stores/data-dir/process-identity.ts'

/** A new name that begins with `prefix`, which ends with a hyphen. */
export function newOwnedName(prefix: string): string {
  return `${prefix}${process.pid}-${randomBytes(8).toString('hex')}`
}

/** Whether what bears a name may still be needed. */
export type IsNeeded = (name: string) => Promise<boolean>

/** For the start of a node, before it does anything: another process has no right to its directory. */
export const neededByNobody: IsNeeded = async () => false

/** Whether the process that made the name is running; also where the name does not say, or nobody can see. */
export const isOwnerRunning: IsNeeded = async (name) => {
  const [, pid] = /-(\d+)-[0-9a-f]+$/.exec(name) ?? []
  if (pid === undefined) return true
  const identity = { pid: Number(pid), boot_id: null, start_time: null, pid_namespace: null }
  return (await isProcessRunning(identity)) !== false
}
