/** Signals to processes of sandboxes, which may end, and leave their pids to others, at any moment. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { childrenOf } from './process-tree.ts'

/** Sends a signal to a process, or to a group of them by its negative id, unless it has ended. */
export function signalIfThere(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has exited.
  }
}

/**
 * Sends SIGTERM to what a process runs: to its children, but where one is a shell that has some itself, to
 * those. A shell would end at once, and with it all that it waits for.
 */
export async function terminateBelow(pid: number): Promise<void> {
  const children = await childrenOf(pid)
  await Promise.all(children.map((child) => terminateCommand(child, pid)))
}

/** Sends SIGTERM to a command, the child of `parent`: where it is a shell, to what that runs. */
export async function terminateCommand(pid: number, parent: number): Promise<void> {
  const runs = (await isShell(pid)) && (await childrenOf(pid)).length > 0
  if (runs) await terminateBelow(pid)
  else if (isChildOf(pid, parent)) signalIfThere(pid, 'SIGTERM')
}

const shells = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh'])

async function isShell(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return shells.has(name.trim())
}

/** Whether `pid` is a process whose parent is `parent`. */
export function isChildOf(pid: number, parent: number | undefined): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === `${parent}`
  } catch {
    return false
  }
}
