/** What the processes of a build use, where no control group counts it. */
import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import { sharedMemory } from './start-script.ts'

/** The process and all that come from it. One that ended meanwhile has none. */
export async function listTree(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(listTree))).flat()]
}

/**
 * Bytes of memory that processes have to themselves or share with each other, and of the files that a sandbox keeps in memory;
 * what is from other files can be read again.
 */
export async function residentBytes(pids: number[]): Promise<number> {
  const all = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  const sumOf = (line: RegExp) =>
    all.reduce((sum, status) => sum + Number(line.exec(status)?.[1] ?? 0) * 1024, 0)
  // What is shared may be such a file, with nobody who has it open or mapped.
  return sumOf(anonymous) + Math.max(sumOf(shared), await filesInMemory(pids))
}

const anonymous = /^RssAnon:\s+(\d+) kB$/m
const shared = /^RssShmem:\s+(\d+) kB$/m

/** What is in the sandbox's only place for files in memory, as its processes see it; 0 for those of no sandbox. */
async function filesInMemory(pids: number[]): Promise<number> {
  const places = await Promise.all(
    pids.map((pid) => statfs(`/proc/${pid}/root${sharedMemory.path}`).catch(() => undefined)),
  )
  const used = places.map((place) => {
    // While the sandbox is made, a process may still see the host's.
    const isSandboxs = place?.type === tmpfs && place.blocks * place.bsize === sharedMemory.bytes
    return isSandboxs ? (place.blocks - place.bfree) * place.bsize : 0
  })
  return Math.max(0, ...used)
}

/** TMPFS_MAGIC of Linux. */
const tmpfs = 0x0102_1994

/** Bytes on disk of files that the processes hold open although no directory has them any more. */
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
