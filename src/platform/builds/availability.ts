/** Whether this node can build, checked once for all callers. */
import type { Logger } from '../../lib/log/logger.ts'
import { probeSandbox } from '../sandbox/probe.ts'
import type { BuildNetwork } from '../sandbox/registries/network.ts'
import type { Uids } from '../sandbox/uids.ts'

/** Resolves to the reason why builds can't run here; undefined if they can. */
export type BuildProblem = () => Promise<string | undefined>

type Availability = {
  find: BuildProblem
  /** Resolves when no check is running. */
  settle(): Promise<void>
}

/** After a failure the check is repeated: something may have been installed. */
const againMs = 60_000

type Options = {
  isolation: 'bubblewrap' | 'none'
  network: BuildNetwork
  /** The program of Node. */
  node: string
  /** A directory for workspaces. */
  root: string
  uids: Uids
  log: Logger
}

/** Checks at once; a problem is also logged for the operator. */
export function findBuildProblem({ isolation, log, ...options }: Options): Availability {
  if (isolation === 'none') return { find: async () => undefined, settle: async () => {} }

  async function look(): Promise<{ problem: string | undefined; atMs: number }> {
    const found = await probeSandbox(options)
    if (found) log.warn(found, 'Builds are off on this node.')
    return { problem: found?.problem, atMs: performance.now() }
  }

  let looked = look()
  return {
    async find() {
      const { problem, atMs } = await looked
      if (problem === undefined || performance.now() - atMs < againMs) return problem
      looked = look()
      return (await looked).problem
    },
    async settle() {
      await looked
    },
  }
}
