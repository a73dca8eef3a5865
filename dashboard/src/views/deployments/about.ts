/** Short texts about a deployment. */
import type { Outputs } from '@/lib/api'

export type DeploymentRecord = Outputs['deployments']['get']

type About = Pick<DeploymentRecord, 'meta' | 'target'>

/** What it is, in a line: its message, or else its branch or target. */
export function titleOf({ meta, target }: About): string {
  return meta.message ?? meta.branch ?? (target === 'production' ? 'Production deployment' : 'Preview')
}

const shortCommit = 7

/** Branch and the start of the commit, as far as known. */
export function sourceOf({ meta }: Pick<DeploymentRecord, 'meta'>): string {
  return [meta.branch, meta.commit?.slice(0, shortCommit)].filter(Boolean).join(' @ ')
}

/** Whether it waits or is being built. */
export function isUnfinished({ state }: Pick<DeploymentRecord, 'state'>): boolean {
  return state === 'queued' || state === 'building'
}

/** How long its build has taken, or takes so far, in milliseconds; undefined where nothing is built. */
export function buildMs(
  { building_ms, ended_ms, ready_ms }: Pick<DeploymentRecord, 'building_ms' | 'ended_ms' | 'ready_ms'>,
  nowMs: number,
): number | undefined {
  if (building_ms === null) return undefined
  return (ready_ms ?? ended_ms ?? nowMs) - building_ms
}
