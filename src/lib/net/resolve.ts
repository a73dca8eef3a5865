/** Resolves host names that teams or builds connect to, anew for each connection. */
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a host name. @throws Error, with its cause, when it has none or the lookup fails. */
export type Resolve = (name: string) => Promise<string[]>

const tryLimitMs = 2_000
const tries = 2

/**
 * Queries `servers`, or the system's resolvers. The system's getaddrinfo isn't used: it knows local names,
 * and uses threads that a dead resolver would block for everyone.
 */
export function createResolve(servers: string[] | undefined): Resolve {
  const resolver = new Resolver({ timeout: tryLimitMs, tries })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0) throw new Error(`${name} has no address.`, { cause: failed?.reason })
    return addresses
  }
}

/** For development: by getaddrinfo, `/etc/hosts` included. */
export const resolveLocally: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)
