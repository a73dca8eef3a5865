/** What the processes of a build use, where no control group counts it. */
import { readdir, readFile, stat } from 'node:fs/promises'

/** The process and all that come from it. One that ended meanwhile has none. */
export async function listTree(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(listTree))).flat()]
}

/** Bytes of memory that processes have to themselves or share with each other; what is from files can be read again. */
export async function residentBytes(pids: number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, text]) =>
        Number(text),
      )
      return kibibytes.reduce((sum, each) => sum + each * 1024, 0)
    }),
  )
  return sizes.reduce((sum, each) => sum + each, 0)
}

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
