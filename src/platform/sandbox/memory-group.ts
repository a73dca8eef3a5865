/** A control group that limits the memory of a build or a server, if this process may create one. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeRoom } from './delegated-group.ts'

const run = promisify(execFile)

/** `procs` is the file that takes the pids of the group's processes. */
export type MemoryGroup = {
  procs: string
  /** Whether the kernel killed one of its processes for lack of memory. */
  wasExceeded(): Promise<boolean>
  remove(): Promise<void>
}

/** The directory for groups, and the names of their files; in version 2 also that of this process's group. */
export type GroupsPlace = { directory: string } & ({ version: 1 } | { version: 2; own: string })

const rules = {
  1: {
    limits: [
      ['memory.limit_in_bytes', 'required'],
      ['memory.memsw.limit_in_bytes', 'optional'],
    ],
    kills: 'memory.oom_control',
    shares: [],
    swap: (bytes: number) => bytes,
  },
  2: {
    limits: [
      ['memory.max', 'required'],
      ['memory.swap.max', 'optional'],
    ],
    kills: 'memory.events',
    shares: ['cpu.weight', 'io.weight'],
    swap: () => 0,
  },
} as const

/** For a shell: moves itself into the group whose file `$0` is. */
const enterGroup = 'echo $$ >"$0"'

/** The command that enters a group, if there is one, and then becomes the one that follows. */
export function enterCommand(group: MemoryGroup | undefined): string[] {
  return group ? ['/bin/sh', '-c', `${enterGroup} && exec "$@"`, group.procs] : []
}

/** Builds have the lowest weight for processor and disk, servers the usual one. */
const kinds = {
  build: { prefix: 'svc-build-', isLight: true },
  server: { prefix: 'svc-server-', isLight: false },
} as const

/**
 * `isProven`: a process is known to be able to enter such a group, from `canLimitMemory`; else that is tried.
 */
type GroupOptions = { kind: keyof typeof kinds; isProven: boolean }

/**
 * A group limited to `bytes`, or undefined if none can be created: then memory is polled instead. Files made
 * by the kernel prove that it is a control group: an ordinary directory would accept the same writes and
 * limit nothing.
 */
export async function makeMemoryGroup(
  bytes: number,
  { kind, isProven }: GroupOptions = { kind: 'build', isProven: false },
): Promise<MemoryGroup | undefined> {
  const place = await readPlace()
  if (!place) return undefined
  const directory = join(
    place.directory,
    `${kinds[kind].prefix}${process.pid}-${randomBytes(6).toString('hex')}`,
  )
  const { limits, kills, shares, swap } = rules[place.version]
  try {
    await mkdir(directory)
    for (const [index, [name, need]] of limits.entries()) {
      const value = `${index === 0 ? bytes : swap(bytes)}`
      // Not created by the write.
      const written = writeFile(join(directory, name), value, { flag: 'r+' })
      await (need === 'required' ? written : written.catch(() => {}))
    }
    for (const name of kinds[kind].isLight ? shares : []) {
      await writeFile(join(directory, name), '1', { flag: 'r+' }).catch(() => {})
    }
    await access(join(directory, 'cgroup.procs'))
    // Permission to create a group doesn't include moving processes there.
    if (!isProven) await run('/bin/sh', ['-c', enterGroup, join(directory, 'cgroup.procs')])
  } catch {
    await rmdir(directory).catch(() => {})
    return undefined
  }
  return {
    procs: join(directory, 'cgroup.procs'),
    wasExceeded: async () => /^oom_kill [1-9]/m.test(await readFile(join(directory, kills), 'utf8')),
    remove: () => removeGroup(directory),
  }
}

/**
 * Whether the memory of builds and servers is limited by control groups; where one was delegated to this
 * process, from now on.
 */
export async function canLimitMemory(bytes: number): Promise<boolean> {
  const place = await readPlace()
  const group = (await makeMemoryGroup(bytes)) ?? (await makeInOwn(place, bytes))
  await group?.remove()
  return group !== undefined
}

async function makeInOwn(place: GroupsPlace | undefined, bytes: number): Promise<MemoryGroup | undefined> {
  if (place?.version !== 2) return undefined
  await makeRoom(place.own)
  return makeMemoryGroup(bytes)
}

/** Removes the groups of an earlier process; those in use stay. */
export async function removeLeftGroups(): Promise<void> {
  const place = await readPlace()
  if (!place) return
  const names = await readdir(place.directory).catch(() => [])
  const left = names.filter((name) => {
    const pid = /^svc-(?:build|server)-(\d+)-/.exec(name)?.[1]
    return pid !== undefined && !existsSync(`/proc/${pid}`)
  })
  await Promise.all(left.map((name) => rmdir(join(place.directory, name)).catch(() => {})))
}

async function readPlace(): Promise<GroupsPlace | undefined> {
  const files = ['/proc/self/mountinfo', '/proc/self/cgroup'].map((path) => readFile(path, 'utf8'))
  const [mounts = '', own = ''] = await Promise.all(files).catch(() => [])
  return findPlace(mounts, own)
}

/**
 * The directory for groups, from /proc/self/mountinfo and /proc/self/cgroup. In version 1 below the own
 * group; in version 2 beside it, since only groups without processes can delegate limits. Undefined if memory
 * is controlled by neither.
 */
export function findPlace(mounts: string, own: string): GroupsPlace | undefined {
  const known = [...mounts.matchAll(/^\S+ \S+ \S+ (\S+) (\S+) .*?- (cgroup2?) \S+ (\S+)$/gm)]
  for (const [, root = '', mountPoint = '', type, options = ''] of known) {
    if (type !== 'cgroup' || !options.split(',').includes('memory')) continue
    const path = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(own)?.[1]
    if (path !== undefined) return { version: 1, directory: join(mountPoint, below(root, path) ?? '') }
  }
  const path = /^0::(.*)$/m.exec(own)?.[1]
  const [, root = '', mountPoint = ''] = known.find(([, , , type]) => type === 'cgroup2') ?? []
  const inMount = path === undefined ? undefined : below(root, path)
  if (!inMount) return undefined
  const ownDirectory = join(mountPoint, inMount)
  return { version: 2, directory: join(ownDirectory, '..'), own: ownDirectory }
}

/** A group's path in a mount of the subtree `root`; undefined if it is outside. */
function below(root: string, path: string): string | undefined {
  const inMount = relative(root, path)
  return inMount.startsWith('..') ? undefined : inMount
}

/** Its processes are dead, but the kernel may take a moment to remove them. */
async function removeGroup(directory: string): Promise<void> {
  for (let attempt = 1; attempt <= 50; attempt++) {
    try {
      return await rmdir(directory)
    } catch {
      await wait(20)
    }
  }
}
