/** Asks resolvers for the addresses of names elsewhere. */
import { Resolver } from 'node:dns/promises'
import { types } from '../wire/codes.ts'

/** Addresses of one type; `ttl` in seconds. None is an answer, too. */
export type Addresses = { values: string[]; ttl: number }

export type Resolve = {
  /** Rejects when no resolver tells. */
  resolve(name: string, type: number): Promise<Addresses>
  stop(): void
}

const tryMs = 1_500
const tries = 2

/** For how long it is remembered that a name has no address: the resolver doesn't tell, in seconds. */
const absenceTtl = 60

/** A resolver over these servers, else the system's. */
export function createResolve(servers: string[] | undefined): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)

  const ask = (name: string, type: number) =>
    type === types.A ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true })

  return {
    async resolve(name, type) {
      try {
        const found = await ask(name, type)
        return {
          values: found.map(({ address }) => address),
          ttl: Math.min(...found.map(({ ttl }) => ttl)),
        }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if (code === 'ENODATA' || code === 'ENOTFOUND') return { values: [], ttl: absenceTtl }
        throw error
      }
    },
    stop: () => resolver.cancel(),
  }
}
