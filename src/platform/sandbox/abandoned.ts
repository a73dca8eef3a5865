/** Sandboxes that were being set up when their bubblewrap died: each waits for its word without end. */
import { readdir, readFile } from 'node:fs/promises'
import { descriptors } from './bubblewrap.ts'
import { signalIfThere } from './signals.ts'

/** The program, and the first of the arguments with which `spawnSandbox` starts it. */
const program = 'bwrap'
const beginning = `${[program, '--args', descriptors.options].join('\0')}\0`

/** Kills those of this machine that this process may kill; they have run nothing yet. */
export async function killAbandoned(): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => ((await isAbandoned(pid)) ? [pid] : [])))
  const abandoned = found.flat()
  for (const pid of abandoned) signalIfThere(pid, 'SIGKILL')
}

/** Whether it is the first process of a sandbox, still bubblewrap itself, whose parent is no bubblewrap. */
async function isAbandoned(pid: number): Promise<boolean> {
  try {
    if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith(beginning)) return false
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    if (!/^NSpid:\t\d.*\t1$/m.test(status)) return false
    const parent = /^PPid:\t(\d+)$/m.exec(status)?.[1]
    return (await readFile(`/proc/${parent}/comm`, 'utf8')).trim() !== program
  } catch {
    // It has ended meanwhile.
    return false
  }
}
