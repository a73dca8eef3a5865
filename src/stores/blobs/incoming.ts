/**
 * Files on their way into a store. Their names say which process writes them, and in which tenure of a lock:
 * several nodes, also of other machines, may share a directory.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, ownIdentity, type ProcessIdentity } from '../data-dir/process-identity.ts'
import type { Tenure } from '../data-dir/tenures.ts'

let own: Promise<ProcessIdentity> | undefined

/** A new name of a file that this process writes. */
export async function newIncomingName(tenure?: Pick<Tenure, 'id'>): Promise<string> {
  own ??= ownIdentity()
  return `${tenure ? `${tenure.id}.` : ''}${prefixOf(await own)}${randomBytes(16).toString('hex')}`
}

/** Empty where the system does not say who a process is. */
function prefixOf({ boot_id, pid_namespace, pid, start_time }: ProcessIdentity): string {
  const namespace = /\d+/.exec(pid_namespace ?? '')?.[0]
  if (boot_id === null || namespace === undefined || start_time === null) return ''
  return `${boot_id}.${namespace}.${pid}.${start_time}.`
}

/** Removes the files of which this process knows that their writers have died; others stay. */
export async function removeLeftIncoming(directory: string, tenure?: Tenure): Promise<void> {
  for (const name of await readdir(directory))
    if (await isLeftByDead(name, tenure)) await rm(join(directory, name), { force: true })
}

const pattern =
  /^(?:(?<tenure>[0-9a-f]{32})\.)?(?<process>[\w-]+\.\d+\.(?<pid>\d+)\.(?<start>\d+)\.)?[0-9a-f]{32}$/

/**
 * Whether the process that made the name has died: it wrote in an earlier tenure of the lock that this
 * process holds, or this process can see that it does not run any more, as it can't after another start of
 * the machine or of a container.
 */
export async function isLeftByDead(name: string, tenure?: Tenure): Promise<boolean> {
  const found = pattern.exec(name)?.groups
  if (found?.tenure !== undefined && tenure?.isOver(found.tenure)) return true
  if (found?.process === undefined) return false
  const writer = { ...(await ownIdentity()), pid: Number(found.pid), start_time: Number(found.start) }
  const isOfHere = found.process === prefixOf(writer)
  return isOfHere && (await isRunning(writer)) === false
}
