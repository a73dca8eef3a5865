/** The context and the functions that the steps of one build's cache share. */
import type { Logger } from '../../../lib/log/logger.ts'
import type { BuildJob } from '../../deployments/queued/claim-build.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import type { CachedPath, Part } from './cached-paths.ts'
import type { Line, Lines } from './lines.ts'
import type { CacheStore, Slot } from './store.ts'

/** The caches and the build; `say` adds a line to its log. */
export type CacheWork = {
  store: CacheStore
  nowMs: () => number
  log: Logger
  job: Pick<BuildJob, 'id' | 'teamId' | 'projectId' | 'build'>
  workspace: Workspace
  lines: Lines
  say: (text: string) => void
}

/** The cache of a part of a line. */
export function slotOf({ job: { teamId, projectId } }: CacheWork, line: Line, part: Part): Slot {
  return { teamId, projectId, line: line.name, part }
}

/** Where a cached directory is in a workspace: below which directory, and its path there. */
export function placeIn(
  { workspace, job: { build } }: CacheWork,
  { base, path }: CachedPath,
): { root: string; path: string } {
  if (base === 'home') return { root: workspace.home, path }
  const isBelow = base === 'root' && build.root_directory !== '.'
  return { root: workspace.files, path: isBelow ? `${build.root_directory}/${path}` : path }
}

/** The path of a cached directory in the tree of a cache. */
export function pathInTree({ base, path }: CachedPath): string {
  return `${base}/${path}`
}

/**
 * Runs a step, and resolves to undefined if it fails: the operator learns why, and the build goes on.
 * @throws the reason of the signal when that aborts.
 */
export async function attempt<T>(
  { job, log, say }: CacheWork,
  what: 'restored' | 'saved',
  signal: AbortSignal,
  step: () => Promise<T>,
): Promise<T | undefined> {
  signal.throwIfAborted()
  try {
    return await step()
  } catch (err) {
    signal.throwIfAborted()
    log.warn({ err, deployment: job.id }, `The cache of a build could not be ${what}.`)
    say(`The cache could not be ${what}.`)
    return undefined
  }
}

/** Bytes for people, in megabytes of a million. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`
}
