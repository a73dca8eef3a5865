/** Nodes that die and are started again, or are restarted in order. */
import type { Need } from '../history/lines.ts'
import { clockAhead } from '../parts/clock.ts'
import type { FleetNode, Role } from '../parts/node.ts'
import type { Nemesis } from './nemesis.ts'

/** What clients miss when a process of this role dies: nobody waits for a worker. */
const missed: Record<Role, Need[]> = { api: ['api'], edge: ['edge'], worker: [], dns: ['dns'] }

/** There is one name server, which nobody stands in for while it restarts. */
const missedInOrder: Record<Role, Need[]> = { api: [], edge: [], worker: [], dns: ['dns'] }

/** kill -9, and a start at once. */
export function kill(node: FleetNode): Nemesis {
  return {
    name: `kill -9 ${node.name}`,
    node: node.name,
    disturbs: missed[node.role],
    lastsMs: 0,
    begin: () => node.end('SIGKILL'),
    end: async () => void (await node.start()),
  }
}

/** SIGTERM, and a start once it is gone, as in a rolling upgrade. */
export function restart(node: FleetNode): Nemesis {
  return {
    name: `restart ${node.name}`,
    node: node.name,
    disturbs: missedInOrder[node.role],
    lastsMs: 0,
    begin: () => node.end('SIGTERM'),
    end: async () => void (await node.start()),
  }
}

const hoursAhead = 8

/** A while with a clock that is eight hours ahead, between two restarts. */
export function wrongClock(node: FleetNode, lastsMs: number): Nemesis {
  const startAgain = async (more: Record<string, string>) => {
    await node.end('SIGTERM')
    await node.start(more)
  }
  const name = `clock of ${node.name} ${hoursAhead} h ahead`
  return {
    name,
    node: node.name,
    disturbs: missedInOrder[node.role],
    lastsMs,
    begin: () => startAgain(clockAhead(hoursAhead)),
    end: () => startAgain({}),
  }
}
