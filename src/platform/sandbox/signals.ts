/** Signals to processes of sandboxes, which may end, and leave their pids to others, at any moment. */
import { readFileSync } from 'node:fs'
import { listTree } from './process-tree.ts'

/** Sends a signal to a process, or to a group of them by its negative id, unless it has ended. */
export function signalIfThere(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has exited.
  }
}

/**
 * Sends SIGTERM to the descendants of a process. The first process of a sandbox passes no signals on, and is
 * none that a signal of its own would end in order.
 */
export async function terminateBelow(first: number): Promise<void> {
  const pids = await listTree(first)
  const known = new Set(pids)
  for (const pid of pids.slice(1)) {
    const parent = parentOf(pid)
    if (parent !== undefined && known.has(parent)) signalIfThere(pid, 'SIGTERM')
  }
}

/** Whether `pid` is a process whose parent is `parent`. */
export function isChildOf(pid: number, parent: number | undefined): boolean {
  return parent !== undefined && parentOf(pid) === parent
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
