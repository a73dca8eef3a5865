/** Whether this node can build, found out once and told to all who ask. */
import type { Logger } from '../log/logger.ts'
import { probeSandbox } from './sandbox/probe.ts'

/** Resolves to a sentence on why builds can't be run here; undefined where they can. */
export type BuildProblem = () => Promise<string | undefined>

type Availability = {
  find: BuildProblem
  /** Resolves when nobody looks any more. */
  settle(): Promise<void>
}

/** After so long a host that couldn't is looked at again: something may have been installed. */
const againMs = 60_000

type Options = {
  isolation: 'bubblewrap' | 'none'
  network: 'none' | 'host'
  /** Where a workspace can be made. */
  root: string
  log: Logger
}

/** Looks at once; what is wrong is also told to the operator. */
export function findBuildProblem({ isolation, network, root, log }: Options): Availability {
  if (isolation === 'none') return { find: async () => undefined, settle: async () => {} }

  async function look(): Promise<{ problem: string | undefined; atMs: number }> {
    const found = await probeSandbox(root, network)
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
