/** Ends the programs of tests. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a program, and waits until it has; one that ended by itself, or never began, is left alone. */
export async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
