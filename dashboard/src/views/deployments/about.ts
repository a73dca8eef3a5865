/** Short texts about a deployment. */
import type { Outputs } from '@/lib/api'
import { minuteTime } from '@/lib/format'
import { visibleLine } from '@/lib/visible'

export type DeploymentRecord = Outputs['deployments']['get']

/** What was deployed, in a line: its message, or else its branch, the zip or folder, or its time. */
export function titleOf({ meta, created_ms }: Pick<DeploymentRecord, 'meta' | 'created_ms'>): string {
  return meta.message || meta.branch || meta.zip || meta.folder || minuteTime(created_ms)
}

const ways: Partial<Record<string, string>> = {
  api: 'through the API',
  command: 'from the command',
  dashboard: 'from the dashboard',
  redeploy: 'deployed again',
}

type Made = Pick<DeploymentRecord, 'created_by_name' | 'source'>

/** By whom, as far as known: "by Ada". */
export function authorOf({ created_by_name }: Pick<Made, 'created_by_name'>): string {
  return created_by_name ? `by ${visibleLine(created_by_name)}` : ''
}

/** By whom and from where: "by Ada, from the command". */
export function originOf({ created_by_name, source }: Made): string {
  return [authorOf({ created_by_name }), ways[source.kind]].filter(Boolean).join(', ')
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
