/** Keeps builds at their processor priority, whatever sessions they create. */
import { readFile, writeFile } from 'node:fs/promises'

/** With autogroup scheduling each new session gets as much of the processor as this program's own. */
export async function keepYielding(pids: number[], niceness: number): Promise<void> {
  const isSet = new RegExp(` nice ${niceness}$`, 'm')
  await Promise.all(
    pids.map(async (pid) => {
      const path = `/proc/${pid}/autogroup`
      try {
        if (isSet.test(await readFile(path, 'utf8'))) return
        await writeFile(path, String(niceness))
      } catch {
        // The process has exited, or this kernel has no autogroups; non-root users may do it only a few times
        // a second.
      }
    }),
  )
}
