/** Groups of processes whose memory the kernel bounds (cgroups). Only root may make them. */
import { accessSync, constants, readFileSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { unique } from './node.ts'

/** Where groups are made, and the file with the bound: for the first version of cgroups, and the second. */
function placeOf(): { directory: string; limit: string } | undefined {
  try {
    const own = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    const place =
      own === undefined
        ? { directory: '/sys/fs/cgroup', limit: 'memory.max' }
        : { directory: join('/sys/fs/cgroup/memory', own), limit: 'memory.limit_in_bytes' }
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

/** Makes one of `bytes`; `remove` once its processes have ended. @throws where that isn't allowed. */
export async function makeMemoryGroup(
  bytes: number,
): Promise<{ directory: string; remove(): Promise<void> }> {
  if (!place) throw new Error('No memory group can be made here.')
  const directory = join(place.directory, unique('svc-test'))
  await mkdir(directory)
  await writeFile(join(directory, place.limit), String(bytes))
  const isEmpty = async () => (await readFile(join(directory, 'cgroup.procs'), 'utf8')) === ''
  return {
    directory,
    remove: () =>
      eventually(async () => {
        if (!(await isEmpty())) throw new Error('The group has processes.')
        await rmdir(directory)
      }),
  }
}
