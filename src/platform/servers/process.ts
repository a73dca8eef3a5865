/** Runs the server of an application, from its start to its end. */
import { setTimeout as wait } from 'node:timers/promises'
import { describeExit, type Exit } from '../sandbox/describe-exit.ts'
import { launchServer, serverMemoryFiles } from '../sandbox/launch-server.ts'
import { createMemoryCheck } from '../sandbox/memory-check.ts'
import { type MemoryGroup, makeMemoryGroup } from '../sandbox/memory-group.ts'
import { listTree, readMemory } from '../sandbox/process-tree.ts'
import type { Launched } from '../sandbox/spawn-sandbox.ts'
import { type BoundSocket, bindSocket } from './listening-socket.ts'
import { nodeOptions } from './node-options.ts'
import { preload } from './preload.ts'
import { readOutput } from './read-output.ts'
import { socketPath } from './run-directory.ts'
import type { Ending, ServerDeps, ServerProcess, ServerStart } from './server-process.ts'
import { waitForListener } from './wait-for-listener.ts'
import { watchMemory } from './watch-memory.ts'

/** How long a server may take until it listens, in milliseconds. */
export const maxListenMs = 60_000

/** The parts of the node that a server has until it has ended. */
type Held = {
  owner: number | undefined
  path: string
  socket: BoundSocket
  group: MemoryGroup | undefined
}

/**
 * Starts a server; `listenMs` is how long it may take until it listens.
 * @throws Error where no sandbox can be made here.
 */
export async function startServer(
  deps: ServerDeps,
  start: ServerStart,
  listenMs = maxListenMs,
): Promise<ServerProcess> {
  const held = await take(deps, start)
  try {
    const { NODE_OPTIONS: own, ...env } = start.env
    const launched = await launchServer(
      {
        ...start,
        env: { ...env, NODE_OPTIONS: nodeOptions(start.memoryBytes, own) },
        owner: held.owner,
        node: deps.node.path,
        socket: held.socket.fd,
        preload,
      },
      held.group,
    )
    // Only what is in the sandbox has the socket open now: it is dead as soon as that is.
    held.socket.release()
    return follow(deps, start, { held, launched, listenMs })
  } catch (error) {
    held.socket.release()
    await giveBack(deps, held)
    throw error
  }
}

async function take({ root, uids, hasGroups }: ServerDeps, { memoryBytes }: ServerStart): Promise<Held> {
  const path = socketPath(root)
  const socket = await bindSocket(path)
  const group = hasGroups ? await makeMemoryGroup(memoryBytes, { kind: 'server', isProven: true }) : undefined
  const owner = process.getuid?.() === 0 ? await uids.take() : undefined
  return { owner, path, socket, group }
}

async function giveBack({ uids }: ServerDeps, { owner, socket, group }: Held): Promise<void> {
  await Promise.all([socket.remove(), group?.remove()])
  if (owner !== undefined) uids.giveBack(owner)
}

type Running = { held: Held; launched: Launched; listenMs: number }

function follow(deps: ServerDeps, start: ServerStart, { held, launched, listenMs }: Running): ServerProcess {
  const { path, group } = held
  const { command, memoryBytes } = start
  const { pid } = launched.child
  const inMemory = serverMemoryFiles(memoryBytes)
  const output = readOutput(launched.child, deps, start)
  let isTooLarge = false
  const isExceeded = createMemoryCheck(memoryBytes, inMemory)
  const endWatch =
    group || pid === undefined
      ? () => {}
      : watchMemory(pid, isExceeded, () => {
          isTooLarge = true
          launched.kill()
        })

  async function end(): Promise<Ending> {
    const exit = await exitOf(launched)
    endWatch()
    await output.ended
    const wasKilled = await group?.wasExceeded().catch(() => false)
    await giveBack(deps, held).catch(() => {})
    return { ...exit, outOfMemory: isTooLarge || output.isHeapFull() || wasKilled === true }
  }

  const ended = end()
  const { lastLine } = output
  const listening = waitForListener({ path, launched, ended, listenMs, command, memoryBytes, lastLine })
  // Whoever waits for the end alone is not to fail.
  listening.catch(() => {})
  return {
    socketPath: path,
    listening,
    ended,
    async memoryBytes() {
      const pids = pid === undefined ? [] : await listTree(pid)
      return (await readMemory(pids, inMemory)).residentBytes
    },
    async stop(graceMs) {
      await launched.terminate()
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })])
      launched.kill()
      await ended
    },
    kill: launched.kill,
  }
}

/** Resolves when all processes have ended, and their output was read. */
function exitOf({ child }: Launched): Promise<Exit> {
  return new Promise((resolve) => {
    // Without bubblewrap there is no other event.
    child.once('error', () => resolve({ code: 127, signal: undefined }))
    child.once('close', (code, signal) => resolve(describeExit(code, signal)))
  })
}
