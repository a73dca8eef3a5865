/** Resource limits of builds and servers. */
import { availableParallelism } from 'node:os'
import type { NodeRuntime } from './runtime-of.ts'

/**
 * `memoryBytes`, `diskBytes` and `processes` (including threads) are for all its processes together;
 * `cpuSeconds`, `openFiles` and, by `diskBytes`, the size of a file for each. A log line counts as
 * `lineBytes` more than its text. `niceness` is that of the kernel's scheduler, from 0 to 19, at which
 * everything else goes first.
 */
export type Limits = {
  wallMs: number
  cpuSeconds: number
  memoryBytes: number
  diskBytes: number
  processes: number
  openFiles: number
  logBytes: number
  niceness: number
}

/** The limits that the kernel holds; without `cpuSeconds` and `diskBytes` there are none of these. */
export type KernelLimits = Pick<Limits, 'memoryBytes' | 'processes' | 'openFiles'> &
  Partial<Pick<Limits, 'cpuSeconds' | 'diskBytes'>> &
  Pick<NodeRuntime, 'reservedBytes'>

const mebibyte = 1024 * 1024

/** The overhead of a log row, so that empty lines aren't free. */
export const lineBytes = 100

/** The limits of a run that may take `timeoutS`. */
export function limitsFrom(settings: { timeoutS: number; memoryBytes: number; diskBytes: number }): Limits {
  return {
    wallMs: settings.timeoutS * 1000,
    // The timeout ends what runs on four cores at full speed, this what runs on more.
    cpuSeconds: settings.timeoutS * 4,
    memoryBytes: settings.memoryBytes,
    diskBytes: settings.diskBytes,
    processes: 512,
    openFiles: 4096,
    logBytes: 10 * mebibyte,
    niceness: 19,
  }
}

/**
 * Without a control group, since buffers of pipes and sockets aren't counted; descriptors sent and not
 * received are as many at most.
 */
const uncountedOpenFiles = 1024

/**
 * The command that sets the kernel's limits for each process and then becomes the one that follows.
 * `perUser`: also those for all processes of the user. `perProcess`: memory too, which stops a single process
 * between two polls; not the address space, of which Node reserves far more than it uses, but the data
 * segment.
 */
export function limitingCommand(
  limits: KernelLimits,
  { perUser, perProcess }: { perUser: boolean; perProcess: boolean },
): string[] {
  return [
    'prlimit',
    ...(limits.cpuSeconds === undefined ? [] : [`--cpu=${limits.cpuSeconds}`]),
    ...(limits.diskBytes === undefined ? [] : [`--fsize=${limits.diskBytes}`]),
    `--nofile=${perProcess ? Math.min(limits.openFiles, uncountedOpenFiles) : limits.openFiles}`,
    '--core=0',
    ...(perProcess ? [`--data=${limits.memoryBytes + limits.reservedBytes * usualThreads()}`] : []),
    ...(perUser ? [`--nproc=${limits.processes}`] : []),
  ]
}

/** Threads of V8 in one process: the first one, and a worker for each core. */
function usualThreads(): number {
  return 1 + availableParallelism()
}

/**
 * The command that gives way to others at the processor and the disk, and then becomes the one that follows.
 */
export function yieldingCommand({ niceness }: Limits): string[] {
  return [
    ...['chrt', '--batch', '0', 'nice', '-n', String(niceness)],
    ...['ionice', '--ignore', '--class', '3'],
  ]
}
