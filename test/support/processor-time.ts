/**
 * Measures each test file's processor time for the report at the end of a run; Vitest runs this before each
 * file.
 */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a file, with the programs that it started and that have ended. */
    processorMs?: number
  }
}

/** The unit of Linux's process times (USER_HZ). */
const msPerTick = 10

const startMs = processorMs()

// biome-ignore lint/correctness/noEmptyPattern: Vitest refuses a first argument that isn't destructured.
afterAll(({}, file) => {
  file.meta.processorMs = processorMs() - startMs
})

/** Of this process and, on Linux, of its children that have ended. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + childrenMs()
}

/** `cutime` and `cstime` of proc(5). */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  const [, afterName = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user = 0, system = 0] = afterName.split(' ').slice(13, 15).map(Number)
  return (user + system) * msPerTick
}
