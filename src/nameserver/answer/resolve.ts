/** Asks resolvers for the addresses of names elsewhere. */
import { Resolver } from 'node:dns/promises'
import { createReach, type Reach } from '../../net/reach.ts'
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
const absent: Addresses = { values: [], ttl: 60 }

type Options = {
  /** Else the system's. */
  resolvers: string[] | undefined
  reach?: Reach | undefined
  /** The name that the operator has set, whose addresses may be any. */
  edgeName?: string | undefined
}

const onlyPublic = createReach({ own: [], resolvePrivate: false })

/** A resolver to which what only exists inside of the operator's network is not there. */
export function createResolve({ resolvers: servers, reach = onlyPublic, edgeName }: Options): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)

  const ask = (name: string, type: number) =>
    type === types.A ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true })

  return {
    async resolve(name, type) {
      if (name !== edgeName && !reach.name(name)) return absent
      try {
        const found = await ask(name, type)
        const told = found.filter(({ address }) => name === edgeName || reach.address(address))
        if (told.length === 0) return absent
        return {
          values: told.map(({ address }) => address),
          ttl: Math.min(...told.map(({ ttl }) => ttl)),
        }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if (code === 'ENODATA' || code === 'ENOTFOUND') return absent
        throw error
      }
    },
    stop: () => resolver.cancel(),
  }
}
