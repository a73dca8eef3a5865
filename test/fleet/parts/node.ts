/**
 * A node of the fleet: the built program, which is started again and again on the same ports and directory.
 */
import { join } from 'node:path'
import { within } from '../../../src/lib/async/within.ts'
import type { Recorder } from '../history/recorder.ts'
import { type Child, readUntil, startChild } from './child.ts'
import type { BoundedMemory } from './memory.ts'

export type Role = 'api' | 'edge' | 'worker' | 'dns'

export type FleetNode = {
  name: string
  role: Role
  /** Where it serves the API and the sites, if its role does. */
  port: number
  edgePort: number
  tlsPort: number
  internalPort: number
  /** Of the process that runs, if one does. */
  pid(): number | undefined
  /**
   * Starts it, with more settings; resolves to what it writes once it is ready, until `pattern` occurs in
   * that.
   */
  start(more?: Record<string, string>, pattern?: RegExp): Promise<string>
  /** Ends it; resolves once it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

type Options = {
  name: string
  role: Role
  ports: { api: number; edge: number; tls: number; internal: number }
  /** The built program. */
  program: string
  env: Record<string, string>
  logs: string
  recorder: Recorder
  memory: BoundedMemory | undefined
}

/** Puts itself into a group of processes, and becomes the program. */
const intoGroup = 'echo $$ > "$0/cgroup.procs" && exec "$@"'

const startMs = 60_000

/** Longer than the whole of a stop in order may take. */
const stopMs = 20_000
const ready = /svc is ready.*\n/

/** A node that has not been started. */
export function createNode({ name, role, ports, program, env, logs, recorder, memory }: Options): FleetNode {
  const command = [process.execPath, program]
  const inGroup = memory?.group === undefined ? command : ['sh', '-c', intoGroup, memory.group, ...command]
  let child: Child | undefined
  /** The one that is to end. */
  let ending: Child | undefined

  function watch(started: Child): void {
    void started.ended.then((end) => {
      if (ending !== started) recorder.write({ type: 'died', process: name, note: end })
    })
  }

  return {
    name,
    role,
    port: ports.api,
    edgePort: ports.edge,
    tlsPort: ports.tls,
    internalPort: ports.internal,
    pid: () => child?.process.pid,
    async start(more = {}, pattern = ready) {
      const startedMs = performance.now()
      child = startChild(inGroup, {
        env: { ...env, ...more },
        log: join(logs, `${name}.log`),
        isRead: true,
      })
      watch(child)
      if (child.process.pid !== undefined) memory?.watch(child.process.pid)
      const greeting = await readUntil(child, pattern, startMs).catch((error: unknown) => {
        throw new Error(`${name} did not start: see ${join(logs, `${name}.log`)}.`, { cause: error })
      })
      recorder.write({ type: 'started', process: name, tookMs: performance.now() - startedMs })
      return greeting
    },
    async end(signal) {
      ending = child
      if (!child) return
      const end = await within(stopMs, child.end(signal), () => undefined)
      if (end !== undefined) return
      recorder.write({
        type: 'died',
        process: name,
        note: `it did not stop within ${stopMs} ms of ${signal}`,
      })
      await child.end('SIGKILL')
    },
  }
}
