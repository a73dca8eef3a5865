/** A server of a deployment, as the node that runs it sees it. */

import type { EnvTarget } from '../projects/env.ts'

/** Which process it is: the variables of production and of previews differ. */
export type ServerKey = { deploymentId: string; target: EnvTarget }

/** `restarts`: how often it has ended by itself since its first start here; `memoryBytes`: measured last. */
export type ServerStatus = ServerKey & {
  teamId: string
  projectId: string
  state: 'starting' | 'running' | 'crashed'
  sinceMs: number
  memoryBytes: number | null
  restarts: number
}
