/** Requests of the administrator, with or without a running node. */

import { createLink } from '../auth/people/links.ts'
import { linkPath } from '../auth/people/paths.ts'
import { createOperatorKey, setUp } from '../auth/set-up.ts'
import { setPlan } from '../auth/teams/plan.ts'
import { adoptStore, type Belonging, readBelonging } from '../blobs/belonging.ts'
import { readMark, setMark } from '../clock/mark.ts'
import type { RemovalClock } from '../clock/removal.ts'
import type { AdminHandlers, AdminInput, AdminOutput, AdminRequest } from '../data-dir/admin-protocol.ts'
import type { Store } from '../db/store.ts'
import { trashLimitsOf } from '../deployments/caps.ts'
import { countStray, sweepStray, type TrashLimits } from '../deployments/sweep-stray.ts'
import type { Settings } from '../settings/variables.ts'
import { blobDirectory, type Installation, openInstallation } from './installation.ts'
import { publicUrl } from './public-url.ts'

type Options = Pick<Installation, 'store' | 'blobs' | 'keys' | 'nowMs'> & {
  apiUrl: string
  trash: TrashLimits
  /** The running node's, if any. */
  removal?: Pick<RemovalClock, 'look'>
}

/** The handlers of administrators' requests. */
export function createAdminHandlers(options: Options): AdminHandlers {
  const { store, blobs, keys, apiUrl, trash, nowMs, removal } = options
  return {
    createOwnerKey: async () =>
      // On an empty database this is its first key.
      (await setUp(store, keys.check, nowMs())) ?? (await createOperatorKey(store.db, nowMs())),
    createPersonLink: ({ email }) => createPersonLink({ store, apiUrl, nowMs }, email),
    setPlan: (change) => setPlan(store, change),
    sweepBlobs: async ({ only_count }) => {
      const deps = { db: store.db, blobs, nowMs: Math.min(nowMs(), Date.now()) }
      const swept = only_count
        ? { ...(await countStray(deps)), swept: 0 }
        : await sweepStray(deps, trash, { evenMany: true })
      return { ...swept, kept_days: trash.days }
    },
    async acceptClock() {
      const now = nowMs()
      const seenMs = await readMark(store.db, now)
      await setMark(store.db, now)
      await removal?.look()
      return { now_ms: now, seen_ms: seenMs }
    },
  }
}

/**
 * A link to set a user's password; without an address for the first user.
 * @throws AppError as `createLink` does.
 */
export async function createPersonLink(
  { store, apiUrl, nowMs }: { store: Store; apiUrl: string; nowMs: () => number },
  email?: string,
): Promise<{ url: string; expires_ms: number }> {
  const { token, expiresMs } = await createLink(store, email, nowMs())
  return { url: `${apiUrl}${linkPath}?token=${token}`, expires_ms: expiresMs }
}

/**
 * Handles a request directly on the database, when no node runs on the data directory.
 * @throws as `openInstallation` and the handler do.
 */
export async function askDirectly<R extends AdminRequest>(
  settings: Settings,
  requested: R,
  input: AdminInput<R>,
): Promise<AdminOutput<R>> {
  const { store, blobs, keys, nowMs, close } = await openInstallation(settings)
  try {
    const apiUrl = publicUrl(settings, { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT })
    const deps = { store, blobs, keys, apiUrl, trash: trashLimitsOf(settings), nowMs }
    return await createAdminHandlers(deps)[requested](input)
  } finally {
    await close()
  }
}

/** The files and the database of these settings, and whether they belong together. */
export type Adoption = {
  directory: string
  belonging: Belonging
  /** Assigns the files to the database. */
  adopt(): Promise<void>
  /** Releases the data directory. */
  close(): Promise<void>
}

/**
 * Opens both to decide whether they belong together, even if a node refuses to start on them.
 * @throws as `openInstallation` does; DataDirectoryInUseError while a node runs on them, which has checked already.
 */
export async function openAdoption(settings: Settings): Promise<Adoption> {
  const { store, blobs, close } = await openInstallation(settings, { isChecked: false })
  try {
    const directory = blobDirectory(settings)
    const deps = { db: store.db, blobs, directory }
    return { directory, belonging: await readBelonging(deps), adopt: () => adoptStore(deps), close }
  } catch (error) {
    await close()
    throw error
  }
}
