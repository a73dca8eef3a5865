/** The nodes run in the memory that they may have. */
import type { History } from '../history/history.ts'
import type { Violation } from './violation.ts'

export function findOverruns({ memory }: Pick<History, 'memory'>): Violation[] {
  return memory
    .filter(({ peakBytes, limitBytes, kills }) => kills > 0 || peakBytes > limitBytes)
    .map(({ process, peakBytes, limitBytes, kills, timeMs }) => ({
      rule: 'out of memory',
      message:
        `${process} had up to ${mebibytes(peakBytes)} MiB with its children, and may have ` +
        `${mebibytes(limitBytes)}; the kernel ended ${kills} of them.`,
      timeMs,
      operations: [],
    }))
}

export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
