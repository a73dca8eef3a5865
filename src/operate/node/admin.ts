/** Requests of the administrator, with or without a running node. */

import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { trashLimitsOf } from '../../platform/deployments/caps.ts'
import { countStray, sweepStray, type TrashLimits } from '../../platform/deployments/garbage/stray-objects.ts'
import { createLink, linkUrl } from '../../platform/people/links.ts'
import { removeFactor } from '../../platform/people/second-factor/remove.ts'
import { createOperatorKey, setUp } from '../../platform/teams/set-up.ts'
import { setPlan } from '../../platform/teams/team-plan.ts'
import { adoptStore, type Belonging, isAdopted, readBelonging } from '../../stores/blobs/belonging.ts'
import { beginHold, extendHold } from '../../stores/blobs/hold-collection.ts'
import { announceLost } from '../../stores/blobs/lost-objects.ts'
import { readMark, setMark } from '../../stores/clock/mark.ts'
import type { RemovalClock } from '../../stores/clock/removal.ts'
import type {
  AdminHandlers,
  AdminInput,
  AdminOutput,
  AdminRequest,
} from '../../stores/data-dir/admin-protocol.ts'
import type { CheckEvent, CheckHandler, CheckInput } from '../../stores/data-dir/admin-streams.ts'
import { copyDatabase } from '../../stores/data-dir/copy-database.ts'
import type { Store } from '../../stores/db/store.ts'
import { databaseCopyPath } from '../backup/workspace.ts'
import { checkInstallation } from '../integrity/check.ts'
import { type Installation, openInstallation } from './installation.ts'
import { knownApiUrl } from './public-url.ts'

type Options = Pick<Installation, 'store' | 'blobs' | 'disk' | 'keys' | 'nowMs'> & {
  /** The data directory. */
  directory: string
  apiUrl: string | undefined
  trash: TrashLimits
  /** The running node's, if any. */
  removal?: Pick<RemovalClock, 'look'>
}

/** The handlers of administrators' requests. */
export function createAdminHandlers(options: Options): AdminHandlers {
  const { store, blobs, disk, keys, directory, apiUrl, trash, nowMs, removal } = options
  return {
    createOwnerKey: async () =>
      // On an empty database this is its first key.
      (await setUp(store, keys.check, nowMs())) ?? (await createOperatorKey(store, nowMs())),
    createPersonLink: async ({ email, without_second_factor: without }) => {
      if (apiUrl === undefined) throw new AppError('invalid_input', withoutApi)
      if (without) await removeFactor(store, email)
      return createPersonLink({ store, apiUrl, nowMs }, email)
    },
    setPlan: (change) => setPlan({ store, nowMs }, change),
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
    async holdCollection({ extend }) {
      if (extend) return { held: await extendHold(store.db) }
      await beginHold(store.db)
      return { held: true }
    },
    async copyDatabase() {
      if (!store.pause) throw new AppError('invalid_input', 'The node uses PostgreSQL: set DATABASE_URL.')
      const copy = databaseCopyPath(directory)
      await copyDatabase(join(directory, 'db'), copy, store.pause, disk)
      return { directory: copy }
    },
  }
}

const withoutApi =
  'The address of the API, to which the link leads, is not known here: set SVC_URL, or run this where it is.'

/** Checks the installation of the node. */
export function createCheckHandler({
  store,
  origin: blobs,
  keys,
  trash,
  nowMs,
}: Pick<Installation, 'store' | 'origin' | 'keys' | 'nowMs'> & { trash: TrashLimits }): CheckHandler {
  const onLost = (objects: string[]) => announceLost(store, objects)
  return (input) => checkInstallation({ db: store.db, blobs, keys, trash, nowMs, onLost, ...input })
}

/**
 * Checks the installation directly, when no node runs on the data directory.
 * @throws as `openInstallation` and `checkInstallation` do.
 */
export async function* checkDirectly(settings: Settings, input: CheckInput): AsyncGenerator<CheckEvent> {
  const installation = await openInstallation(settings)
  try {
    yield* createCheckHandler({ ...installation, trash: trashLimitsOf(settings) })(input)
  } finally {
    await installation.close()
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
  return { url: linkUrl(apiUrl, token), expires_ms: expiresMs }
}

/**
 * Handles a request directly on the database, when no node runs on the data directory.
 * @throws as `openInstallation` and the handler do.
 */
export async function requestDirectly<R extends AdminRequest>(
  settings: Settings,
  requested: R,
  input: AdminInput<R>,
): Promise<AdminOutput<R>> {
  const { store, blobs, disk, keys, nowMs, close } = await openInstallation(settings)
  try {
    const apiUrl = knownApiUrl(settings)
    const deps = { store, blobs, disk, keys, directory: settings.SVC_DATA_DIR, apiUrl, nowMs }
    return await createAdminHandlers({ ...deps, trash: trashLimitsOf(settings) })[requested](input)
  } finally {
    await close()
  }
}

/** The files and the database of these settings, and whether they belong together. */
export type Adoption = {
  location: string
  belonging: Belonging
  /** Whether nothing is left to decide. */
  isAdopted: boolean
  /** Assigns the files to the database. */
  adopt(): Promise<void>
  /** Releases the data directory. */
  close(): Promise<void>
}

/**
 * Opens both to decide whether they belong together, even if a node refuses to start on them.
 * @throws as `openInstallation` does; DataDirectoryInUseError while a node runs on them, which has checked
 * already.
 */
export async function openAdoption(settings: Settings): Promise<Adoption> {
  const {
    store,
    blobs,
    blobLocation: location,
    close,
  } = await openInstallation(settings, { isChecked: false })
  try {
    const deps = { db: store.db, blobs, location }
    const belonging = await readBelonging(deps)
    return {
      location,
      belonging,
      isAdopted: isAdopted(belonging),
      adopt: () => adoptStore(deps),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
