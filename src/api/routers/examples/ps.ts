/** Examples of running servers in the document of RPC. */
import type { Restarted, RunningServer } from '../../../platform/servers/ps-output.ts'

export const runningServerExample: RunningServer = {
  project: 'web',
  deployment: 'dpl_019aa5d3b3208fd4e7a15c60b2938d4e',
  target: 'production',
  live: true,
  node: 'one-1f3a',
  state: 'running',
  since_ms: 1_790_000_000_000,
  memory_bytes: 68_157_440,
  restarts: 0,
}

export const restartedExample: Restarted = { project: 'web', restarted_ms: 1_790_000_300_000, servers: 1 }
