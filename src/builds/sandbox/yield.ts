/** Keeps all of a build behind whoever else wants the processor, whatever sessions it makes. */
import { readFile, writeFile } from 'node:fs/promises'

/** Where the kernel shares the processor among sessions, each new one has as much of it as this program's own. */
export async function keepYielding(pids: number[]): Promise<void> {
  await Promise.all(
    pids.map(async (pid) => {
      const path = `/proc/${pid}/autogroup`
      try {
        if (/ nice 19$/m.test(await readFile(path, 'utf8'))) return
        await writeFile(path, '19')
      } catch {
        // It has ended, or this kernel has no such groups; who isn't root may do it a few times a second only.
      }
    }),
  )
}
