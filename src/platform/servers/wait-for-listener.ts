/** Waits until a server listens. */
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { within } from '../../lib/async/within.ts'
import type { Launched } from '../sandbox/spawn-sandbox.ts'
import { describeFailedStart } from './failed-start.ts'
import { listeningPorts } from './listening-ports.ts'
import { type Ending, StartFailed } from './server-process.ts'

/** The pause between two attempts to connect, in milliseconds. */
const pauseMs = 10

/**
 * `lastLine` is that of the server's output; `command` and `memoryBytes` are its own. On `ownPorts` of its
 * network the platform listens.
 */
type Starting = {
  path: string
  launched: Launched
  ended: Promise<Ending>
  listenMs: number
  command: string
  memoryBytes: number
  lastLine: () => string
  ownPorts: number[]
}

/**
 * Resolves at the first connection; a server that does not listen in time is killed.
 * @throws StartFailed with a sentence for the deployer; Error where the sandbox could not be set up.
 */
export async function waitForListener(starting: Starting): Promise<void> {
  const { path, launched, ended, listenMs } = starting
  let ending: Ending | undefined
  ended.then((found) => {
    ending = found
  })
  const endMs = performance.now() + listenMs
  await within(listenMs, Promise.race([ended, launched.begun]), () => {})
  while (!(await canConnect(path))) {
    if (ending) throw whyEnded(starting, ending)
    if (performance.now() >= endMs) throw await giveUp(starting)
    await Promise.race([ended, wait(pauseMs)])
  }
  if (ending) throw whyEnded(starting, ending)
}

function whyEnded({ launched, command, memoryBytes, lastLine }: Starting, ending: Ending): Error {
  if (!launched.hasStarted() && !ending.outOfMemory) {
    return new Error(`The sandbox of a server could not be set up: ${lastLine()}`)
  }
  return new StartFailed(describeFailedStart({ how: 'ended', ending }, { command, memoryBytes }))
}

async function giveUp({
  launched,
  listenMs,
  command,
  memoryBytes,
  ownPorts,
}: Starting): Promise<StartFailed> {
  const first = launched.firstPid()
  const found = first === undefined ? [] : await listeningPorts(first)
  const ports = found.filter((port) => !ownPorts.includes(port))
  launched.kill()
  const failure = { how: 'silent', ports, listenMs } as const
  return new StartFailed(describeFailedStart(failure, { command, memoryBytes }))
}

function canConnect(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
