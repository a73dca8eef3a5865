/** Describes how a command of a build ended. */
import type { BuildError } from '../deployments/queued/fail.ts'
import type { Ended } from '../sandbox/run-sandboxed.ts'

export type BuildCaps = { timeoutS: number; memoryBytes: number; diskBytes: number }

const mebibyte = 1024 * 1024

/** The error of a build whose command `command` ended like this; undefined for success. */
export function describeEnd(ended: Ended, command: string, caps: BuildCaps): BuildError | undefined {
  if (ended.how === 'timeout') return timedOut(caps)
  if (ended.how === 'memory_limit') return outOfMemory(caps)
  if (ended.how === 'disk_full') return diskFull
  if (ended.how !== 'exited') return { reason: 'build_failed', message: stopMessages[ended.how](caps) }
  if (ended.code === 0) return undefined
  const how = ended.signal ? `was ended by ${ended.signal}` : `ended with exit code ${ended.code}`
  return { reason: 'build_failed', message: `${command} ${how}; see the log for its output.` }
}

export function timedOut({ timeoutS }: BuildCaps): BuildError {
  return { reason: 'build_timeout', message: `The build took longer than ${timeoutS} s.` }
}

/** Whoever filled it. */
export const diskFull: BuildError = {
  reason: 'disk_full',
  message:
    'The disk of the node that builds is nearly full. Deploy again later; its operator has to make room.',
}

function outOfMemory({ memoryBytes }: BuildCaps): BuildError {
  const message = `The build used more than ${inMebibytes(memoryBytes)} of memory.`
  return { reason: 'build_out_of_memory', message }
}

const stopMessages = {
  aborted: () => 'The build was stopped.',
  disk_limit: ({ diskBytes }: BuildCaps) => `The build wrote more than ${inMebibytes(diskBytes)}.`,
  log_limit: () => 'The build printed more than its log may hold.',
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`
}
