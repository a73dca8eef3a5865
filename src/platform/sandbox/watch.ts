/** Polls the resource usage of a running build, for limits that the kernel doesn't enforce. */
import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Limits } from './limits.ts'
import { createMemoryCheck } from './memory-check.ts'
import type { MemoryGroup } from './memory-group.ts'
import { deletedBytes, listTree } from './process-tree.ts'
import { sharedMemory } from './start-script.ts'
import type { Workspace } from './workspace.ts'
import { keepYielding } from './yield.ts'

const run = promisify(execFile)

/** The poll interval for cheap checks. */
const tickMs = 250

/** The poll interval for disk usage, unless the disk fills up quickly; longer if a check takes long. */
const measureMs = 1000

export type Exceeded = 'memory_limit' | 'disk_limit' | 'disk_full'

/** `group`: if a control group limits memory, which kills only one of the processes. */
type Watched = {
  pid: number
  workspace: Workspace
  limits: Limits
  group: MemoryGroup | undefined
  disk: DiskReserve
}

/**
 * Calls `onExceeded` once, when the processes from `pid` on exceed a limit. Returns a function that stops
 * watching.
 */
export function watchUse(watched: Watched, onExceeded: (what: Exceeded) => void): () => void {
  const { limits, group } = watched
  const exceedsMemory = group
    ? () => group.wasExceeded()
    : createMemoryCheck(limits.memoryBytes, [sharedMemory])
  const exceedsDisk = createDiskCheck(watched)
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const pids = await listTree(watched.pid)
    await keepYielding(pids, limits.niceness)
    if (await exceedsMemory(pids)) return exceed('memory_limit')
    // The builder's own data may be on the same disk.
    if (await watched.disk.isFull()) return exceed('disk_full')
    if (await exceedsDisk(pids)) return exceed('disk_limit')
    if (!isOver) timer = setTimeout(tick, tickMs)
  }

  /** Processes and files change meanwhile, so a check may fail; only if all do, there is no limit. */
  function tick(): void {
    look().catch(() => exceed('disk_limit'))
  }

  function exceed(what: Exceeded): void {
    if (!isOver) onExceeded(what)
    isOver = true
  }

  tick()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function createDiskCheck({ workspace, limits }: Watched): (pids: number[]) => Promise<boolean> {
  let nextMs = 0
  let used = 0
  let freeThen: number | undefined
  return async (pids) => {
    const disk = await statfs(workspace.directory)
    const free = disk.bavail * disk.bsize
    freeThen ??= free
    const startMs = performance.now()
    // Also by others, but then an extra check does no harm.
    const mayBeOver = used + (freeThen - free) > limits.diskBytes
    if (startMs < nextMs && !mayBeOver) return false
    used = (await treeBytes(workspace.directory)) + (await deletedBytes(pids))
    freeThen = free
    const tookMs = performance.now() - startMs
    nextMs = performance.now() + Math.max(measureMs, tookMs * 10)
    return used > limits.diskBytes
  }
}

/** In another process with low priority: a tree may have a hundred thousand files. */
async function treeBytes(directory: string): Promise<number> {
  // `du` also fails for files that were removed meanwhile, and has counted the others.
  const { stdout } = await run('nice', ['du', '-skx', '--', directory], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => (hasOutput(error) ? error : Promise.reject(error)))
  return Number.parseInt(stdout, 10) * 1024 || 0
}

function hasOutput(error: unknown): error is { stdout: string } {
  return (
    error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== ''
  )
}
