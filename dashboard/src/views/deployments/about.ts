/** Short texts about a deployment. */
import type { Outputs } from '@/lib/api'
import { minuteTime } from '@/lib/format'
import { visibleLine } from '@/lib/visible'

export type DeploymentRecord = Outputs['deployments']['get']

/**
 * The title of a deployment, in a line: its message, or else its branch, the zip or folder with the time,
 * since many have the same, or the time alone.
 */
export function titleOf({ meta, created_ms }: Pick<DeploymentRecord, 'meta' | 'created_ms'>): string {
  if (meta.message) return meta.message
  return [whatOf(meta), minuteTime(created_ms)].filter(Boolean).join(', ')
}

/** The same beside its time. */
export function nameOf({ meta }: Pick<DeploymentRecord, 'meta'>): string {
  return meta.message || whatOf(meta) || 'Deployed'
}

const whatOf = ({ branch, zip, folder }: DeploymentRecord['meta']) => branch || zip || folder

/** Where people find it: in production while it is live, else at its own address, which never changes. */
export function addressOf({
  live,
  url,
  aliases,
}: Pick<DeploymentRecord, 'live' | 'url' | 'aliases'>): string {
  return (live ? aliases[0] : undefined) ?? url
}

/** By whom, as far as known: "by Ada". */
export function authorOf({ created_by_name }: Pick<DeploymentRecord, 'created_by_name'>): string {
  return created_by_name ? `by ${visibleLine(created_by_name)}` : ''
}

const ways: Partial<Record<string, string>> = {
  api: 'The API',
  command: 'The command',
  dashboard: 'The dashboard',
  redeploy: 'An earlier deployment',
  hook: 'A deploy hook',
  git: 'A push',
  forge: 'A push',
}

/** The way that a deployment came, with the key: "The command, key laptop", "A deploy hook, Articles". */
export function wayOf({ kind, name }: DeploymentRecord['source']): string {
  const isKey = !['hook', 'oidc', 'forge'].includes(kind)
  const named = name === null ? '' : `, ${isKey ? 'key ' : ''}${visibleLine(name)}`
  return `${ways[kind] ?? kind}${named}`
}

const shortCommit = 7

/** Branch and the start of the commit, as far as known. */
export function sourceOf({ meta }: Pick<DeploymentRecord, 'meta'>): string {
  return [meta.branch, meta.commit?.slice(0, shortCommit)].filter(Boolean).join(' @ ')
}

/** Branch and commit, or else the zip or folder that was chosen; undefined where neither is known. */
export function contentOf({ meta }: Pick<DeploymentRecord, 'meta'>): string | undefined {
  return sourceOf({ meta }) || meta.zip || meta.folder || undefined
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
