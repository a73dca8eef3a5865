/**
 * The memory that a node and its children have: a group of the kernel's that bounds it, where this process
 * may make one, and else the sum of what they hold.
 */
import { canMakeMemoryGroup, makeMemoryGroup } from '../../support/memory-group.ts'
import type { Recorder } from '../history/recorder.ts'
import type { Role } from './node.ts'
import { readOf, treeOf } from './process-tree.ts'

const mebibyte = 1024 * 1024

/** As in deploy/kubernetes. */
const limitBytes: Record<Role, number> = {
  api: 768 * mebibyte,
  edge: 1024 * mebibyte,
  worker: 3072 * mebibyte,
  dns: 1024 * mebibyte,
}

const everyMs = 250

export type BoundedMemory = {
  /** The group that the node's process joins; undefined where none can be made. */
  group: string | undefined
  /** From now on this process and its children are measured. */
  watch(pid: number): void
  /** Records the peak. */
  close(): Promise<void>
}

/** Bounds the memory of a node by its role. */
export async function boundMemory(
  { name, role }: { name: string; role: Role },
  recorder: Recorder,
): Promise<BoundedMemory> {
  const limit = limitBytes[role]
  const group = canMakeMemoryGroup ? await makeMemoryGroup(limit) : undefined
  let main: number | undefined
  let peakBytes = 0
  const look = () => {
    const bytes = group ? group.usedBytes() : main === undefined ? 0 : residentBytes(main)
    peakBytes = Math.max(peakBytes, bytes)
  }
  const timer = setInterval(look, everyMs)
  return {
    group: group?.directory,
    watch(pid) {
      main = pid
    },
    async close() {
      clearInterval(timer)
      const kills = group?.kills() ?? 0
      recorder.write({ type: 'memory', process: name, peakBytes, limitBytes: limit, kills })
      await group?.remove()
    },
  }
}

/** What a process and its descendants hold in memory, in bytes; 0 once it has ended. */
function residentBytes(main: number): number {
  return treeOf(main).reduce((sum, pid) => {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readOf(pid, 'status')) ?? []
    return sum + 1024 * Number(kilobytes)
  }, 0)
}
