/** Starts the processes of an application's server. */
import { join } from 'node:path'
import { inMemory, type MemoryFiles, type Profile } from './bubblewrap.ts'
import type { KernelLimits } from './limits.ts'
import { enterCommand, type MemoryGroup } from './memory-group.ts'
import { type Launched, spawnSandbox } from './spawn-sandbox.ts'
import { startScript } from './start-script.ts'
import { readToolchain } from './toolchain.ts'

/** Paths, in the sandbox of a server, of its files, home and script, and the module that is loaded first. */
export const serverInside = {
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
 * `files` is a directory of this host, `directory`, in which `command` runs, relative to it; `owner` the uid
 * of its processes, undefined for this process's own; `socket` a descriptor of this process, `node` a
 * program, `preload` the text of a CommonJS module.
 */
export type ServerLaunch = {
  files: string
  directory: string
  command: string
  env: Record<string, string>
  owner: number | undefined
  memoryBytes: number
  node: string
  socket: number
  preload: string
}

/** The limits of a server besides memory: processes, threads among them, and open files. */
const bounds = { processes: 512, openFiles: 4_096 } as const

const mebibyte = 1024 * 1024

/** The file systems that a server may write to: all are in its memory, and count as such. */
export function serverMemoryFiles(memoryBytes: number): MemoryFiles[] {
  const part = (share: number) => Math.floor(memoryBytes / share / mebibyte) * mebibyte
  return [
    { path: '/tmp', bytes: part(4) },
    { path: serverInside.home, bytes: part(16) },
    { path: '/dev/shm', bytes: part(8) },
  ]
}

/**
 * Starts a server in a sandbox with a network of its own, without anything in it but the socket; its
 * processes are in the control group, if any.
 */
export async function launchServer(input: ServerLaunch, group: MemoryGroup | undefined): Promise<Launched> {
  const { files, command, owner, memoryBytes, node, socket, preload } = input
  const toolchain = await readToolchain(node)
  const directory = join(serverInside.files, input.directory)
  const env = {
    PATH: [...programsOf(directory), toolchain.path].join(':'),
    HOME: serverInside.home,
    LANG: 'C.UTF-8',
    ...input.env,
  }
  const profile: Profile = {
    name: 'server',
    owner,
    network: 'own',
    toolchain,
    home: serverInside.home,
    mounts: [
      ...['--dir', '/server', '--ro-bind', files, serverInside.files],
      ...serverMemoryFiles(memoryBytes).flatMap(inMemory),
      ...['--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ],
    files: {
      [serverInside.start]: startScript({ command, directory, env, before: [] }),
      [serverInside.preload]: preload,
    },
  }
  return spawnSandbox({
    profile,
    start: serverInside.start,
    limits: limitsOf(memoryBytes),
    outside: enterCommand(group),
    inGroup: group !== undefined,
    socket: { fd: socket, inside: socketInside },
  })
}

function limitsOf(memoryBytes: number): KernelLimits {
  return { ...bounds, memoryBytes }
}

/** The directories of the programs of packages, so that a command may name them as a script does. */
function programsOf(directory: string): string[] {
  const places = [...new Set([directory, serverInside.files])]
  return places.map((place) => join(place, 'node_modules/.bin'))
}
