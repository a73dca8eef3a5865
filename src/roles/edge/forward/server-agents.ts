/** Opens requests to servers of deployments, over connections that are kept for each start of one. */
import { Agent, type ClientRequest, request } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { ServerLease } from '../../../platform/servers/servers.ts'
import { maxHeaderSize } from './origin-request.ts'
import { boundsOfServers } from './places.ts'

type Head = { method: string; path: string; fields: string[]; isRepeatable: boolean }

export type ServerAgents = {
  /** A request whose head is sent with the first bytes of its body. It fails with an error of the system. */
  open(to: Pick<ServerLease, 'path' | 'start'>, head: Head): ClientRequest
}

/** How long a connection is kept for the next request: shorter than servers keep theirs. */
const idleMs = 4_000

/**
 * How many are kept for each start: as many as it gets requests at a time, so that a busy server isn't
 * connected to anew each time that fewer are under way for a moment.
 */
const maxIdle = boundsOfServers.held.perOrigin

/** More than a node runs at a time; what is forgotten is an agent, and connections that nobody uses. */
const maxStarts = 256

/** Agents of a process. */
export function createServerAgents(): ServerAgents {
  const agents = new LRUCache<string, Agent>({ max: maxStarts, dispose: retire })

  function agentOf(start: string): Agent {
    const known = agents.get(start)
    if (known) return known
    const agent = new Agent({
      keepAlive: true,
      maxFreeSockets: maxIdle,
      scheduling: 'lifo',
      // Of idle connections, which are the only ones without a time limit of their own.
      timeout: idleMs,
    })
    agents.set(start, agent)
    return agent
  }

  return {
    open({ path: socketPath, start }, { method, path, fields, isRepeatable }) {
      // A server that has ended may still have taken what was sent on a kept connection: nobody knows.
      const agent = isRepeatable ? agentOf(start) : false
      return request({ socketPath, agent, method, path, headers: fields, maxHeaderSize })
    },
  }
}

/** Keeps no connection any more; those in use go on. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}
