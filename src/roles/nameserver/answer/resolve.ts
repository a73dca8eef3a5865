/** Resolves addresses of external names. */
import { Resolver } from 'node:dns/promises'
import { createReach, type Reach } from '../../../lib/net/lookup-scope.ts'
import { types } from '../wire/codes.ts'

/** Addresses of one type, possibly none; `ttl` in seconds. */
export type Addresses = { values: string[]; ttl: number }

export type Resolve = {
  /** Rejects when no resolver responds. */
  resolve(name: string, type: number): Promise<Addresses>
  stop(): void
}

const tryMs = 1_500
const tries = 2

/** The negative TTL in seconds: the resolver API doesn't report one. */
const absent: Addresses = { values: [], ttl: 60 }

type Options = {
  /** Default: the system's. */
  resolvers: string[] | undefined
  reach?: Reach | undefined
  /** The operator's own name, which may have any addresses. */
  edgeName?: string | undefined
}

const onlyPublic = createReach({ own: [], resolvePrivate: false })

/** A resolver that hides what only exists inside the operator's network. */
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
        const visible = found.filter(({ address }) => name === edgeName || reach.address(address))
        if (visible.length === 0) return absent
        return {
          values: visible.map(({ address }) => address),
          ttl: Math.min(...visible.map(({ ttl }) => ttl)),
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
