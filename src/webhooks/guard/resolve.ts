/** Looks the addresses of receivers up, anew for each connection. */
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a host name. @throws Error when they can't be had. */
export type Resolve = (name: string) => Promise<string[]>

const tryLimitMs = 2_000
const tries = 2

/**
 * Asks `servers`, or the system's resolvers. The system's own look-up isn't used: it knows names of this machine's
 * surroundings, and takes threads which a dead resolver would hold from everyone.
 */
export function createResolve(servers: string[] | undefined): Resolve {
  const resolver = new Resolver({ timeout: tryLimitMs, tries })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw new Error(`${name} has no address.`)
    return addresses
  }
}

/** For development: as every program on this machine looks names up, `/etc/hosts` included. */
export const resolveLocally: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)
