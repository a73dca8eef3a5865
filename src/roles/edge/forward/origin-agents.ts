/** Connections to the servers behind rules: only to addresses that were checked for this very connection. */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../lib/net/public-address.ts'
import type { Resolve } from '../../../lib/net/resolve.ts'
import { BlockedAddressError, createVettedLookup } from '../../../lib/net/vetted-lookup.ts'

export type OriginAgents = {
  /** The agent for `origin`. @throws BlockedAddressError for an address that is none of the public ones. */
  agentFor(origin: URL): HttpAgent
  close(): void
}

type Options = {
  resolve: Resolve
  /** Whether addresses inside the operator's network are allowed. */
  allowPrivate: boolean
}

/** How long a connection is kept for the next request: shorter than servers keep theirs. */
const idleMs = 4_000

/** How many are kept for each server. */
const maxIdle = 16

/** Agents whose connections resolve the name of their server anew. */
export function createOriginAgents({ resolve, allowPrivate }: Options): OriginAgents {
  const isAllowed = (address: string) => allowPrivate || isPublicAddress(address)
  const options = {
    keepAlive: true,
    noDelay: true,
    maxFreeSockets: maxIdle,
    scheduling: 'lifo',
    // Of idle connections, which are the only ones without a time limit of their own.
    timeout: idleMs,
    lookup: createVettedLookup(resolve, isAllowed),
    autoSelectFamily: true,
  } as const
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  return {
    agentFor({ protocol, hostname }) {
      const literal = hostname.replace(/^\[|\]$/g, '')
      // An address is connected to without a look-up.
      if (isIP(literal) !== 0 && !isAllowed(literal)) throw new BlockedAddressError(literal)
      return protocol === 'https:' ? agents.https : agents.http
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
