/**
 * Files on their way into a store. Their names say which process writes them: several nodes, also of other
 * machines, may share a directory.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, ownIdentity, type ProcessIdentity } from '../data-dir/process-identity.ts'

let own: Promise<ProcessIdentity> | undefined

/** A new name of a file that this process writes. */
export async function newIncomingName(): Promise<string> {
  own ??= ownIdentity()
  return `${prefixOf(await own)}${randomBytes(16).toString('hex')}`
}

/** Empty where the system does not say who a process is; then the age of a file alone tells. */
function prefixOf({ boot_id, pid_namespace, pid, start_time }: ProcessIdentity): string {
  const namespace = /\d+/.exec(pid_namespace ?? '')?.[0]
  if (boot_id === null || namespace === undefined || start_time === null) return ''
  return `${boot_id}.${namespace}.${pid}.${start_time}.`
}

/** Removes the files of processes that this one can see to have died; those of others stay. */
export async function removeLeftIncoming(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    if (await isLeftByDead(name)) await rm(join(directory, name), { force: true })
}

/** Whether this process can see that the one has died which made the name. */
export async function isLeftByDead(name: string): Promise<boolean> {
  const [, pid, startTime] = /^[\w-]+\.\d+\.(\d+)\.(\d+)\.[0-9a-f]+$/.exec(name) ?? []
  if (pid === undefined || startTime === undefined) return false
  const writer = { ...(await ownIdentity()), pid: Number(pid), start_time: Number(startTime) }
  const isOfHere = name.startsWith(prefixOf(writer))
  return isOfHere && (await isRunning(writer)) === false
}
