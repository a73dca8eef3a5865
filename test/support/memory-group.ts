/** Groups of processes whose memory the kernel bounds (cgroups). Only root may make them. */
import { randomUUID } from 'node:crypto'
import { accessSync, constants, type Dirent, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** Names of files of a group, which the versions of cgroups call differently. */
type Place = {
  directory: string
  /** The file with the bound. */
  limit: string
  /** The line of `memory.stat` with what its processes hold, without what the kernel keeps of files. */
  used: string
  /** The file with the number of processes that were killed for want of memory. */
  kills: string
}

/** Where groups are made: by the first version of cgroups, or the second. */
function placeOf(): Place | undefined {
  try {
    const own = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    const place =
      own === undefined
        ? { directory: '/sys/fs/cgroup', limit: 'memory.max', used: 'anon', kills: 'memory.events' }
        : {
            directory: join('/sys/fs/cgroup/memory', own),
            limit: 'memory.limit_in_bytes',
            used: 'total_rss',
            kills: 'memory.oom_control',
          }
    if (
      own === undefined &&
      !readFileSync('/sys/fs/cgroup/cgroup.subtree_control', 'utf8').includes('memory')
    )
      return undefined
    accessSync(place.directory, constants.W_OK)
    return place
  } catch {
    return undefined
  }
}

const place = placeOf()

/** Whether this process may make one. */
export const canMakeMemoryGroup = place !== undefined

const isDirectory = (entry: Dirent) => entry.isDirectory()

export type MemoryGroup = {
  directory: string
  /** What its processes hold, besides files that the kernel keeps in memory. */
  usedBytes(): number
  /** How many of its processes the kernel has killed because the bound was reached. */
  kills(): number
  /** Once its processes have ended. */
  remove(): Promise<void>
}

/** Makes one of `bytes`. @throws where that isn't allowed. */
export async function makeMemoryGroup(bytes: number): Promise<MemoryGroup> {
  if (!place) throw new Error('No memory group can be made here.')
  const directory = join(place.directory, `svc-test-${randomUUID().slice(0, 8)}`)
  const numberIn = (file: string, name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(join(directory, file), 'utf8'))?.[1] ?? 0)
  await mkdir(directory)
  await writeFile(join(directory, place.limit), String(bytes))
  const isEmpty = async () => (await readFile(join(directory, 'cgroup.procs'), 'utf8')) === ''
  return {
    directory,
    usedBytes: () => numberIn('memory.stat', place.used),
    kills: () => numberIn(place.kills, 'oom_kill'),
    remove: () =>
      eventually(async () => {
        if (!(await isEmpty())) throw new Error('The group has processes.')
        // Those of builds whose node was killed.
        for (const { name } of (await readdir(directory, { withFileTypes: true })).filter(isDirectory))
          await rmdir(join(directory, name))
        await rmdir(directory)
      }),
  }
}
