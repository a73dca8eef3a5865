/** Keeps from a build what whoever started this program left open: Node opens nothing that way itself. */
import { open, readdir, readFile } from 'node:fs/promises'

type Stdio = ('ignore' | 'pipe' | number)[]

/** O_CLOEXEC of Linux: a descriptor with it ends where a program starts another. */
const closesOnExec = 0o2_000_000

/**
 * Calls `start` with a `stdio` that has /dev/null in the place of each descriptor that a process which starts now would inherit
 * beyond those given: one of a directory would lead out of a sandbox.
 */
export async function withoutInherited<T>(
  given: ('ignore' | 'pipe')[],
  start: (stdio: Stdio) => T,
): Promise<T> {
  const left = (await readInherited()).filter((descriptor) => descriptor >= given.length)
  if (left.length === 0) return start(given)
  const nothing = await open('/dev/null')
  try {
    const length = Math.max(...left) + 1
    return start(
      // What is ignored beyond the first three stays as it is.
      Array.from({ length }, (_, index) => (left.includes(index) ? nothing.fd : (given[index] ?? 'ignore'))),
    )
  } finally {
    await nothing.close()
  }
}

/** None where the kernel doesn't say. */
async function readInherited(): Promise<number[]> {
  const names = await readdir('/proc/self/fdinfo').catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      // One that is closed meanwhile was ours.
      const text = await readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '')
      const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1]
      return flags === undefined || Number.parseInt(flags, 8) & closesOnExec ? [] : [Number(name)]
    }),
  )
  return found.flat()
}
