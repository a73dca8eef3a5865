/** Whether this node can run builds and servers, checked once for all callers. */
import type { Logger } from '../../lib/log/logger.ts'
import { probeSandbox, type SandboxProblem } from './probe.ts'
import type { BuildNetwork } from './registries/network.ts'
import type { NodeRuntime } from './runtime-of.ts'
import type { Uids } from './uids.ts'

/** Resolves to the reason why something can't run here; undefined if it can. */
export type FindProblem = () => Promise<string | undefined>

export type Availability = {
  builds: FindProblem
  servers: FindProblem
  /** Resolves when no check is running. */
  settle(): Promise<void>
}

/** After a failure the check is repeated: something may have been installed. */
const againMs = 60_000

const withoutSandbox =
  "Servers can't run without a sandbox, and SVC_BUILD_SANDBOX=none has this node use none: unset it."

type Options = {
  isolation: 'bubblewrap' | 'none'
  network: BuildNetwork
  node: NodeRuntime
  /** A directory for workspaces. */
  root: string
  uids: Uids
  log: Logger
}

/** Checks at once; a problem is also logged for the operator. */
export function checkSandbox({ isolation, log, ...options }: Options): Availability {
  if (isolation === 'none')
    return { builds: async () => undefined, servers: async () => withoutSandbox, settle: async () => {} }

  async function look(): Promise<{ found: SandboxProblem | undefined; atMs: number }> {
    const found = await probeSandbox(options)
    if (found) log.warn(found, 'Builds and servers are off on this node.')
    return { found, atMs: performance.now() }
  }

  let looked = look()

  async function find(): Promise<SandboxProblem | undefined> {
    const { found, atMs } = await looked
    if (found === undefined || performance.now() - atMs < againMs) return found
    looked = look()
    return (await looked).found
  }

  return {
    builds: async () => (await find())?.builds,
    servers: async () => (await find())?.servers,
    async settle() {
      await looked
    },
  }
}
