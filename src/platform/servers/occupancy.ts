/** The room of a node that its servers take, and who goes where there is not enough. */
import { within } from '../../lib/async/within.ts'
import type { EnvTarget } from '../projects/env.ts'
import type { Room } from '../projects/room-to-keep.ts'
import { findOverflow, makeRoom } from './fair.ts'
import type { DeployedServer } from './read-server.ts'
import type { RunningServer } from './running-server.ts'
import { StartFailed } from './server-process.ts'
import type { ServerKey } from './server-status.ts'
import { ServerRefused } from './servers.ts'

export type Occupancy = {
  /**
   * Resolves once there is a place for a server, which is held until it is given back.
   * @throws ServerRefused `busy`; StartFailed where it may use more than all servers together.
   */
  take(row: DeployedServer, target: EnvTarget): Promise<{ giveBack(): void }>
  /** Whether there would be a place for a server only if that process ended. */
  needsPlaceOf(row: DeployedServer, running: RunningServer): boolean
  /** Counts a process until it is gone. */
  add(running: RunningServer): void
  /** Measures the memory of all of them; where that is more than the room has, idle ones end. */
  measure(): Promise<void>
  /** Ends all of them: SIGTERM, and SIGKILL after `graceMs`. */
  endAll(graceMs: number): Promise<void>
  running(): RunningServer[]
}

/** A server that starts counts with all that it may use. */
type Place = { row: DeployedServer; target: EnvTarget }

const againMs = 5_000
const mebibyte = 1024 * 1024

type Deps = {
  /** Whether it runs even without requests. */
  isKept: (key: ServerKey) => boolean
  /** Resolves once the process is gone. */
  evict: (running: RunningServer) => Promise<void>
}

/** The room that the servers of a node take. */
export function createOccupancy(room: Room, { isKept, evict }: Deps): Occupancy {
  const all = new Set<RunningServer>()
  const places = new Set<Place>()

  const heldNow = () => [
    ...[...all].map((running) => ({
      ...factsOf(running.row),
      running,
      bytes: running.bytes(),
      target: running.key.target,
      requests: running.requests() + (isKept(running.key) ? 1 : 0),
      oldSockets: running.oldSockets(),
      lastUsedMs: running.lastUsedMs(),
      isEnding: running.isEnding(),
    })),
    ...[...places].map(({ row, target }) => ({
      ...factsOf(row),
      running: undefined,
      target,
      requests: 1,
      oldSockets: 0,
      lastUsedMs: 0,
      isEnding: false,
    })),
  ]

  return {
    async take(row, target) {
      if (row.runtime.memory_bytes > room.bytes) throw new StartFailed(tooLarge(row, room))
      const chosen = makeRoom(heldNow(), factsOf(row), room)
      if (!chosen) throw new ServerRefused('busy', 'This node has no room for another server now.', againMs)
      const place = { row, target }
      places.add(place)
      await Promise.all(chosen.map(({ running }) => running && evict(running)))
      return { giveBack: () => void places.delete(place) }
    },
    needsPlaceOf(row, running) {
      const held = heldNow()
      const without = held.map((each) => (each.running === running ? { ...each, isEnding: true } : each))
      const hasRoom = (those: typeof held) => makeRoom(those, factsOf(row), room) !== undefined
      return !hasRoom(held) && hasRoom(without)
    },
    add(running) {
      all.add(running)
      void running.ended.then(() => all.delete(running))
    },
    async measure() {
      await Promise.all([...all].map((running) => running.measure().catch(() => {})))
      for (const { running } of findOverflow(heldNow(), room)) if (running) void evict(running)
    },
    async endAll(graceMs) {
      await Promise.all([...all].map((running) => endSoon(running, graceMs)))
    },
    running: () => [...all],
  }
}

async function endSoon(running: RunningServer, graceMs: number): Promise<void> {
  void running.stop(graceMs)
  await within(graceMs, running.ended, running.kill)
  await running.ended
}

function factsOf({ teamId, projectId, isUntrusted, runtime }: DeployedServer) {
  return { teamId, projectId, isUntrusted, bytes: runtime.memory_bytes }
}

function tooLarge({ runtime }: DeployedServer, room: Room): string {
  const [most, has] = [runtime.memory_bytes, room.bytes].map((bytes) => Math.floor(bytes / mebibyte))
  return (
    `The server may use ${most} MiB, and this node has ${has} MiB for all servers: ` +
    'set runtime.memory_bytes to less, or have its operator set SVC_RUNTIME_BYTES to more.'
  )
}
