/** The ways of a node to the APIs of forges. */
import type { ForgeAccess } from '../../git/forge-access.ts'
import { isListed } from '../../git/forge-address.ts'
import { createForgeFetch, type ForgeFetch } from './forge-fetch.ts'

type Options = {
  access: ForgeAccess
  /** Undefined: the system's. */
  resolvers: string[] | undefined
}

/** Public forges, and private ones that the operator lists; `close` ends what is under way. */
export function openForgeWays({ access, resolvers }: Options): {
  fetchFor(url: string): ForgeFetch
  close(): Promise<void>
} {
  const common = { resolvers, ca: access.authorities }
  const anywhere = createForgeFetch({ ...common, allowPrivate: false })
  const listed = createForgeFetch({ ...common, allowPrivate: true, resolve: access.resolvePrivate })
  return {
    fetchFor: (url) => (isListed(new URL(url), access) ? listed : anywhere).fetch,
    async close() {
      await Promise.all([anywhere.close(), listed.close()])
    },
  }
}
