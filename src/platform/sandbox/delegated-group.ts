/**
 * Makes room for groups of builds in a control group of version 2 that was delegated to this process: only
 * groups without processes of their own can have groups with limits below them (cgroups(7), "no internal
 * processes").
 */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'

/** The group of the node itself. */
export const nodeGroup = 'svc-node'

/** A node that starts processes meanwhile is moved in several rounds. */
const maxRounds = 10

/**
 * Moves the processes of the group at `directory` into one below it, and has it limit the groups beside that
 * one; does nothing unless the group belongs to `uid`, who isn't root, and has the controller of memory.
 */
export async function makeRoom(directory: string, uid = process.getuid?.()): Promise<void> {
  try {
    if (!(await isDelegated(directory, uid))) return
    const leaf = join(directory, nodeGroup)
    await mkdir(leaf).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    for (let round = 0; round < maxRounds; round += 1) {
      const pids = (await readFile(join(directory, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean)
      if (pids.length === 0) break
      // One that has ended meanwhile is left out.
      for (const pid of pids) await write(join(leaf, 'cgroup.procs'), pid).catch(() => {})
    }
    const control = join(directory, 'cgroup.subtree_control')
    await write(control, '+memory')
    // For their weights, where they are delegated, too.
    for (const controller of ['cpu', 'io']) await write(control, `+${controller}`).catch(() => {})
  } catch {
    // Then no group can be made, which the log of the start says.
  }
}

async function isDelegated(directory: string, uid: number | undefined): Promise<boolean> {
  const controllers = await readFile(join(directory, 'cgroup.controllers'), 'utf8')
  const owner = (await stat(directory)).uid
  return owner !== 0 && owner === uid && controllers.trim().split(' ').includes('memory')
}

/** Not created by the write: the kernel makes these files. */
function write(file: string, text: string): Promise<void> {
  return writeFile(file, text, { flag: 'r+' })
}
