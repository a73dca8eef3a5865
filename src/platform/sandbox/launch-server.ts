/** Starts an application's server, in a sandbox or, if all builders are trusted, without one. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inMemory, type MemoryFiles, type Profile } from './bubblewrap.ts'
import type { ListenerAddress } from './listeners/open-listeners.ts'
import { enterCommand, type MemoryGroup } from './memory-group.ts'
import type { NodeRuntime } from './runtime-of.ts'
import { spawnPlain } from './spawn-plain.ts'
import { type Launched, spawnSandbox } from './spawn-sandbox.ts'
import { startScript } from './start-script.ts'
import { plainPath, readToolchain } from './toolchain.ts'

/** Paths, in the sandbox of a server, of its files, home and script, and the module that is loaded first. */
const serverInside = {
  files: '/workspace',
  home: '/server/home',
  start: '/server/start',
  preload: '/server/preload.cjs',
} as const

/**
 * The descriptor of a server's socket: above those that a Node closes to its own children, which are all up
 * to the 15th and those that follow without a gap (libuv, `uv_disable_stdio_inheritance`).
 */
export const socketInside = 100

/**
 * A sandbox, whose processes have the uid `owner`, this process's own where that is undefined, and another
 * sandbox's where it `isLent`; or none, and then an empty directory for what the server writes.
 */
export type ServerPlace =
  | { isolation: 'bubblewrap'; owner: number | undefined; isLent: boolean }
  | { isolation: 'none'; directory: string }

/** The path at which the Node of a server finds the module that it loads first. */
export function preloadPath(place: ServerPlace): string {
  return place.isolation === 'none' ? join(place.directory, 'preload.cjs') : serverInside.preload
}

/**
 * The network of a server that has a way out: the listeners in it, whether all addresses are its own, and the
 * content of its /etc/resolv.conf.
 */
type ServerNetwork = {
  listeners: readonly ListenerAddress[]
  isRouted: boolean
  resolvers: string | undefined
}

/**
 * `files` is a directory of this host, `directory`, in which `command` runs, relative to it; `socket` a
 * descriptor of this process, `preload` the text of a CommonJS module. Over `caches`, directories that are
 * there, relative to `files`, lies memory. Without `network` there is nothing in its network but the socket.
 */
export type ServerLaunch = {
  files: string
  directory: string
  command: string
  caches: string[]
  env: Record<string, string>
  place: ServerPlace
  memoryBytes: number
  node: NodeRuntime
  socket: number
  preload: string
  network?: ServerNetwork | undefined
}

/** The limits of a server besides memory: processes, threads among them, and open files. */
const bounds = { processes: 512, openFiles: 4_096 } as const

const mebibyte = 1024 * 1024

/**
 * The file systems that a server may write to, over `caches` among its files, too: all are in its memory, and
 * count as such.
 */
export function serverMemoryFiles(memoryBytes: number, caches: readonly string[] = []): MemoryFiles[] {
  const part = (share: number) => Math.floor(memoryBytes / share / mebibyte) * mebibyte
  return [
    { path: '/tmp', bytes: part(4) },
    { path: serverInside.home, bytes: part(16) },
    { path: '/dev/shm', bytes: part(8) },
    ...caches.map((path) => ({ path: join(serverInside.files, path), bytes: part(8) })),
  ]
}

/** Starts a server; its processes are in the control group, if any. A sandbox has a network of its own. */
export async function launchServer(input: ServerLaunch, group: MemoryGroup | undefined): Promise<Launched> {
  const { place } = input
  return place.isolation === 'none'
    ? launchPlain(input, place.directory, group)
    : launchSandboxed(input, place.owner, group)
}

async function launchSandboxed(
  input: ServerLaunch,
  owner: number | undefined,
  group: MemoryGroup | undefined,
): Promise<Launched> {
  const { files, command, memoryBytes, caches, node, socket, preload, network } = input
  const toolchain = await readToolchain(node.path)
  const directory = join(serverInside.files, input.directory)
  const path = [...programsOf(directory, serverInside.files), toolchain.path].join(':')
  const env = { PATH: path, HOME: serverInside.home, LANG: 'C.UTF-8', ...input.env }
  const profile: Profile = {
    name: 'server',
    owner,
    network: network?.isRouted ? 'given' : 'own',
    toolchain,
    home: serverInside.home,
    mounts: [
      ...['--dir', '/server', '--ro-bind', files, serverInside.files],
      ...serverMemoryFiles(memoryBytes, caches).flatMap(inMemory),
      ...['--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ],
    files: {
      [serverInside.start]: startScript({ command, directory, env, before: [] }),
      [serverInside.preload]: preload,
      ...(network?.resolvers !== undefined && { '/etc/resolv.conf': network.resolvers }),
    },
  }
  return spawnSandbox({
    profile,
    start: serverInside.start,
    limits: { ...bounds, memoryBytes, reservedBytes: node.reservedBytes },
    outside: enterCommand(group),
    inGroup: group !== undefined,
    socket: { fd: socket, inside: socketInside },
    listeners: network && {
      addresses: network.listeners,
      isRouted: network.isRouted,
      path: toolchain.path,
    },
  })
}

async function launchPlain(
  { place, files, command, memoryBytes, node, socket, preload, ...input }: ServerLaunch,
  scratch: string,
  group: MemoryGroup | undefined,
): Promise<Launched> {
  const directory = join(files, input.directory)
  const path = [...programsOf(directory, files), plainPath(node.path)].join(':')
  const [home, temporary] = [join(scratch, 'home'), join(scratch, 'temporary')]
  await Promise.all([mkdir(home), mkdir(temporary), writeFile(preloadPath(place), preload)])
  return spawnPlain({
    command,
    directory,
    env: { PATH: path, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', ...input.env },
    limits: { ...bounds, memoryBytes, reservedBytes: node.reservedBytes },
    outside: enterCommand(group),
    before: ':',
    inGroup: group !== undefined,
    socket: { fd: socket, inside: socketInside },
  })
}

/** The directories of the programs of packages, so that a command may name them as a script does. */
function programsOf(directory: string, files: string): string[] {
  const places = [...new Set([directory, join(files, '.')])]
  return places.map((place) => join(place, 'node_modules/.bin'))
}
