/** Runs the server of an application, from its start to its end. */
import { mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describeExit, type Exit } from '../sandbox/describe-exit.ts'
import {
  launchServer,
  preloadPath,
  type ServerLaunch,
  type ServerPlace,
  serverMemoryFiles,
} from '../sandbox/launch-server.ts'
import { createMemoryCheck } from '../sandbox/memory-check.ts'
import { type MemoryGroup, makeMemoryGroup } from '../sandbox/memory-group.ts'
import { listTree, readMemory } from '../sandbox/process-tree.ts'
import { removeTree } from '../sandbox/remove-tree.ts'
import type { Launched } from '../sandbox/spawn-sandbox.ts'
import { type BoundSocket, bindSocket } from './listening-socket.ts'
import { nodeOptions } from './node-options.ts'
import { preload } from './preload.ts'
import { readOutput } from './read-output.ts'
import { socketPath } from './run-directory.ts'
import type { Ending, ServerDeps, ServerLine, ServerProcess, ServerStart } from './server-process.ts'
import { waitForListener } from './wait-for-listener.ts'
import { watchMemory } from './watch-memory.ts'

/** How long a server may take until it listens, in milliseconds. */
export const maxListenMs = 60_000

/** The parts of the node that a server has until it has ended. */
type Held = { path: string; place: ServerPlace; group: MemoryGroup | undefined; socket: BoundSocket }

/**
 * Starts a server; `listenMs` is how long it may take until it listens.
 * @throws Error where no sandbox can be made here.
 */
export async function startServer(
  deps: ServerDeps,
  start: ServerStart,
  listenMs = maxListenMs,
): Promise<ServerProcess> {
  const { waitForSocket, ...command } = await startCommand(deps, start)
  const listening = waitForSocket(listenMs)
  // Whoever waits for the end alone is not to fail.
  listening.catch(() => {})
  return { ...command, listening }
}

/** A command in the sandbox of a server, of which nobody expects that it listens. */
type CommandProcess = Omit<ServerProcess, 'listening'> & {
  /** As `waitForListener` does. */
  waitForSocket: (listenMs: number) => Promise<void>
}

/** Starts a command in the sandbox of a server. @throws Error where no sandbox can be made here. */
export async function startCommand(deps: ServerDeps, start: ServerStart): Promise<CommandProcess> {
  const caches = await cachesIn(start)
  const held = await take(deps, start)
  try {
    const launched = await launchServer({ ...launchOf(deps, start, held), caches }, held.group)
    return follow(deps, start, { held, launched, caches })
  } catch (error) {
    await giveBack(deps, held)
    throw error
  } finally {
    // From now on only the server has it open: once that is dead, nobody can connect.
    held.socket.release()
  }
}

function launchOf(
  { node, wayOut }: ServerDeps,
  start: ServerStart,
  { place, socket }: Held,
): Omit<ServerLaunch, 'caches'> {
  const { NODE_OPTIONS: own, ...env } = start.env
  const options = nodeOptions(preloadPath(place), start.memoryBytes, own)
  const network = start.leaving && wayOut.plan(start.leaving.reach)
  return {
    ...start,
    env: { ...network?.env, ...env, NODE_OPTIONS: options },
    network,
    place,
    node,
    socket: socket.fd,
    preload: preload({ hasOwnNetwork: place.isolation !== 'none' }),
  }
}

async function take(deps: ServerDeps, { memoryBytes, owner }: ServerStart): Promise<Held> {
  const path = socketPath(deps.root)
  const place = await takePlace(deps, `${path}.d`, owner)
  const group = deps.hasGroups
    ? await makeMemoryGroup(memoryBytes, { kind: 'server', isProven: true })
    : undefined
  try {
    return { path, place, group, socket: await bindSocket(path) }
  } catch (error) {
    await Promise.all([group?.remove(), giveBackPlace(deps, place)])
    throw error
  }
}

async function takePlace(
  { isolation, uids }: ServerDeps,
  directory: string,
  owner: number | undefined,
): Promise<ServerPlace> {
  if (isolation === 'none') {
    await mkdir(directory, { mode: 0o700 })
    return { isolation, directory }
  }
  if (owner !== undefined) return { isolation, owner, isLent: true }
  return { isolation, owner: process.getuid?.() === 0 ? await uids.take() : undefined, isLent: false }
}

async function giveBack(deps: ServerDeps, { place, group, socket }: Held): Promise<void> {
  await Promise.all([socket.remove(), group?.remove(), giveBackPlace(deps, place)])
}

async function giveBackPlace({ uids }: ServerDeps, place: ServerPlace): Promise<void> {
  if (place.isolation === 'none') await removeTree(place.directory)
  else if (place.owner !== undefined && !place.isLent) uids.giveBack(place.owner)
}

/** Those that are directories, at their own paths; nothing can be mounted anywhere else. */
async function cachesIn({ files, caches = [] }: ServerStart): Promise<string[]> {
  if (caches.length === 0) return []
  const root = await realpath(files)
  const found = await Promise.all(
    caches.map(async (path) => {
      const place = join(root, path)
      const isOwn = (await realpath(place).catch(() => undefined)) === place
      return isOwn && (await stat(place)).isDirectory() ? [path] : []
    }),
  )
  return found.flat()
}

type Running = { held: Held; launched: Launched; caches: string[] }

function follow(deps: ServerDeps, start: ServerStart, { held, launched, caches }: Running): CommandProcess {
  const { path, group } = held
  const { command, memoryBytes, leaving } = start
  const { pid } = launched.child
  const inMemory = serverMemoryFiles(memoryBytes, caches)
  let isStopping = false
  const output = readOutput(launched.child, deps, {
    ...start,
    onLine(line) {
      if (!isStopping || !isOfShell(line)) start.onLine(line)
    },
  })
  let isTooLarge = false
  const isExceeded = createMemoryCheck(memoryBytes, inMemory)
  const endWatch =
    group || pid === undefined
      ? () => {}
      : watchMemory(pid, isExceeded, () => {
          isTooLarge = true
          launched.kill()
        })

  const serving = leaving ? serve(deps, start, leaving, launched) : Promise.resolve(() => {})

  async function end(): Promise<Ending> {
    const exit = await exitOf(launched)
    endWatch()
    const endServing = await serving
    endServing()
    await output.ended
    const wasKilled = (await group?.wasExceeded().catch(() => false)) === true
    // What can't be removed now is left to the next start of the node.
    await giveBack(deps, held).catch(() => {})
    return { ...exit, outOfMemory: isTooLarge || output.isHeapFull() || wasKilled }
  }

  const ended = end()
  const { lastLine } = output
  const ownPorts = leaving ? deps.wayOut.plan(leaving.reach).listeners.map(({ port }) => port) : []
  return {
    socketPath: path,
    waitForSocket: (listenMs) =>
      waitForListener({ path, launched, ended, listenMs, command, memoryBytes, lastLine, ownPorts }),
    ended,
    async memoryBytes() {
      const pids = pid === undefined ? [] : await listTree(pid)
      return (await readMemory(pids, inMemory)).residentBytes
    },
    async stop(graceMs) {
      isStopping = true
      await launched.terminate()
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })])
      launched.kill()
      await ended
    },
    kill: launched.kill,
  }
}

/** Connects what leaves the sandbox; resolves to the function that ends that. */
async function serve(
  { wayOut }: ServerDeps,
  { redactor, onRefused }: ServerStart,
  leaving: NonNullable<ServerStart['leaving']>,
  launched: Launched,
): Promise<() => void> {
  const listeners = await launched.listeners
  if (!listeners) return () => {}
  return wayOut.serve(listeners, { ...leaving, say: (text) => onRefused(redactor.redact(text)) })
}

/** Whether a shell says how the command ended, which no program has printed. */
function isOfShell({ stream, text }: ServerLine): boolean {
  return stream === 'stderr' && text === 'Terminated'
}

/** Resolves when all processes have ended, and their output was read. */
function exitOf({ child }: Launched): Promise<Exit> {
  return new Promise((resolve) => {
    // Without bubblewrap there is no other event.
    child.once('error', () => resolve({ code: 127, signal: undefined }))
    child.once('close', (code, signal) => resolve(describeExit(code, signal)))
  })
}
