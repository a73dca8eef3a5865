/** The resource usage of processes, without a control group. */
import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import type { MemoryFiles } from './bubblewrap.ts'

/** The process and its descendants; none if it has ended. */
export async function listTree(pid: number): Promise<number[]> {
  const children = await childrenOf(pid)
  return [pid, ...(await Promise.all(children.map(listTree))).flat()]
}

/** The children of a process; none if it has ended. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/**
 * `residentBytes` as described at `readMemory`; `descriptorSlots`: how many descriptors the processes have
 * room for.
 */
export type MemoryUse = { residentBytes: number; descriptorSlots: number }

/**
 * Bytes of private and shared memory of processes, of their page tables, and of the files that a sandbox
 * keeps in memory, in the file systems `inMemory`; mapped files on disk don't count, since they can be
 * evicted.
 */
export async function readMemory(pids: number[], inMemory: readonly MemoryFiles[]): Promise<MemoryUse> {
  const all = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  const sumOf = (line: RegExp) => all.reduce((sum, status) => sum + Number(line.exec(status)?.[1] ?? 0), 0)
  const bytesOf = (line: RegExp) => sumOf(line) * 1024
  // Shared memory may be such a file that nobody has open or mapped.
  const sharedBytes = Math.max(bytesOf(shared), await filesInMemory(pids, inMemory))
  return {
    residentBytes: bytesOf(anonymous) + bytesOf(pageTables) + sharedBytes,
    descriptorSlots: sumOf(slots),
  }
}

const anonymous = /^RssAnon:\s+(\d+) kB$/m
const slots = /^FDSize:\s+(\d+)$/m
const pageTables = /^VmPTE:\s+(\d+) kB$/m
const shared = /^RssShmem:\s+(\d+) kB$/m

/** Usage of the sandbox's file systems in memory, as its processes see them; 0 without a sandbox. */
async function filesInMemory(pids: number[], inMemory: readonly MemoryFiles[]): Promise<number> {
  const each = await Promise.all(inMemory.map((files) => usedBytes(pids, files)))
  return each.reduce((sum, bytes) => sum + bytes, 0)
}

async function usedBytes(pids: number[], { path, bytes }: MemoryFiles): Promise<number> {
  const places = await Promise.all(
    pids.map((pid) => statfs(`/proc/${pid}/root${path}`).catch(() => undefined)),
  )
  const used = places.map((place) => {
    // During set-up a process may still see the host's.
    const isSandboxs = place?.type === tmpfs && place.blocks * place.bsize === bytes
    return isSandboxs ? (place.blocks - place.bfree) * place.bsize : 0
  })
  return Math.max(0, ...used)
}

/** TMPFS_MAGIC of Linux. */
const tmpfs = 0x0102_1994

/** Bytes on disk of deleted files that the processes hold open. */
export async function deletedBytes(pids: number[]): Promise<number> {
  const held = new Map<string, number>()
  await Promise.all(
    pids.map(async (pid) => {
      const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
      for (const name of names) {
        const found = await stat(`/proc/${pid}/fd/${name}`).catch(() => undefined)
        if (found?.isFile() && found.nlink === 0) held.set(`${found.dev}:${found.ino}`, found.blocks * 512)
      }
    }),
  )
  return [...held.values()].reduce((sum, each) => sum + each, 0)
}
