/** Fails queued and running builds. */
import type { SQL } from 'drizzle-orm'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { endWhere } from './end.ts'
import { type Held, isHeld } from './held.ts'

/** Why there is no site: the reason is for programs, the message tells a person what to do. */
export type BuildError = {
  reason:
    | 'build_failed'
    | 'build_timeout'
    | 'build_out_of_memory'
    | 'start_failed'
    | 'release_failed'
    | 'worker_lost'
    | 'queue_timeout'
    | 'builds_not_available'
    | 'storage_quota'
    | 'disk_full'
  message: string
  /** The lines of its output that say why: at most 10 of at most 500 characters, and never none. */
  excerpt?: string[]
}

type Deps = SiteUrls & { store: Store; nowMs: () => number }

/** Fails a build; false if the worker has lost it, and nothing has changed. */
export async function failBuild(deps: Deps, held: Held, error: BuildError): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    const failed = await failWhere({ ...deps, tx }, isHeld(held), error)
    return failed > 0
  })
}

/** Fails up to 100 deployments, as `endWhere` ends them; resolves to how many. */
export function failWhere(
  { nowMs, ...deps }: Omit<Deps, 'store'> & { tx: Transaction },
  condition: SQL | undefined,
  error: BuildError,
): Promise<number> {
  return endWhere({ ...deps, nowMs: nowMs(), origin: null }, condition, {
    state: 'error',
    why: () => error,
  })
}
