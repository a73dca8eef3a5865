/**
 * Measures each test file's processor time for the report at the end of a run; Vitest runs this before each
 * file.
 */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { runnerPid } from './run-apart.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a file, with the programs that it started and that have ended. */
    processorMs?: number
  }
}

/** The unit of Linux's process times (USER_HZ). */
const msPerTick = 10

/** Where proc(5) has the times of a process after its name: its own (`utime`, `stime`), its children's. */
const times = { children: [13, 15], all: [11, 15] } as const

const startMs = processorMs()

// biome-ignore lint/correctness/noEmptyPattern: Vitest refuses a first argument that isn't destructured.
afterAll(({}, file) => {
  file.meta.processorMs = processorMs() - startMs
})

/**
 * Of this process and, on Linux, of its children that have ended, and of what runs programs apart with those
 * that it ran.
 */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + ofProcess('self', times.children) + ofProcess(runnerPid(), times.all)
}

function ofProcess(id: number | 'self' | undefined, [first, end]: readonly [number, number]): number {
  if (id === undefined || process.platform !== 'linux') return 0
  const [, afterName = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')
  const ticks = afterName.split(' ').slice(first, end).map(Number)
  return ticks.reduce((sum, each) => sum + each, 0) * msPerTick
}
