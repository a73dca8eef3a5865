/** Runs backups and restores with the settings of a node. */
import type { Settings } from '../../lib/settings/variables.ts'
import { type OpenBlobStore, openOrigin } from '../../stores/blobs/open-store.ts'
import { lockDataDirectory } from '../../stores/data-dir/lock.ts'
import { beginTenure, type Tenure, tenuresOf } from '../../stores/data-dir/tenures.ts'
import { type BackedUp, backUp } from './back-up.ts'
import type { Place } from './backup-place.ts'
import { BrokenOff } from './broken-off.ts'
import type { Progress } from './copy-listed.ts'
import { settleSwitch } from './end-broken-restore.ts'
import { keyLocation } from './key.ts'
import { openPlace } from './open-place.ts'
import { restore } from './restore.ts'
import { readRestoring } from './restore-state.ts'
import type { Restored } from './restore-types.ts'
import { embeddedSource, postgresSource, type Source } from './source.ts'
import type { Hold } from './while-held.ts'
import { inWorkspace } from './workspace.ts'

type Given = {
  /** The settings of the node. */
  node: Settings
  /** A directory or a bucket, and the settings for the bucket. */
  place: string
  bucket: Settings | undefined
  signal: AbortSignal
  progress: Progress
}

export type GivenBackUp = Given &
  Pick<Parameters<typeof backUp>[0], 'files' | 'withKey' | 'keep' | 'made'> & {
    /** Requests to the node of an embedded database, or to the database where no node runs. */
    requests: { hold: Hold; copyDatabase: () => Promise<string> }
  }

/** The backup that was made or restored, and its place. */
export type Ran<T> = T & { location: string; keyLocation: string }

/** Makes a backup, while nodes run or not. @throws as `backUp`, `openPlace` and `inWorkspace` do. */
export function runBackUp(given: GivenBackUp): Promise<Ran<BackedUp>> {
  const { node } = given
  return withPlaces(given, async ({ place, store: { origin, location } }) => {
    const source = sourceOf(given)
    try {
      const store = { blobs: origin, location }
      return await backUp({ ...given, settings: node, source, store, place, nowMs: Date.now() })
    } finally {
      await source.close()
    }
  })
}

export type GivenRestore = Given &
  Pick<Parameters<typeof restore>[0], 'backup' | 'replace' | 'incomplete' | 'newKey'>

/**
 * Restores a backup where no node runs.
 * @throws BrokenOff, which says how things stand; its cause is as of `restore`, `openPlace` and
 * `inWorkspace`, or a DataDirectoryInUseError while a node runs on the data directory.
 */
export async function runRestore(given: GivenRestore): Promise<Ran<Restored>> {
  try {
    return await restoreLocked(given)
  } catch (error) {
    if (error instanceof BrokenOff) throw error
    throw new BrokenOff('Nothing was changed.', { cause: error })
  }
}

async function restoreLocked(given: GivenRestore): Promise<Ran<Restored>> {
  const { node } = given
  const lock = await lockDataDirectory(node.SVC_DATA_DIR)
  try {
    const begun = await readRestoring(node.SVC_DATA_DIR)
    const isFinished = begun?.phase === 'switching' && (await settleSwitch(node, begun))
    const settings = { settings: node, replace: given.replace || isFinished }
    const tenure = await beginTenure(tenuresOf(node.SVC_DATA_DIR))
    const work = ({ place, scratch, store: { origin, location } }: Places) =>
      restore({ ...given, ...settings, place, scratch, store: { blobs: origin, location } })
    return await withPlaces(given, work, tenure)
  } finally {
    await lock.release()
  }
}

type Places = { place: Place; store: OpenBlobStore; scratch: string }

/** `ofData` is the tenure of the data directory, where this process holds that. */
function withPlaces<T extends object>(
  given: Given,
  work: (places: Places) => Promise<T>,
  ofData?: Tenure,
): Promise<Ran<T>> {
  const { node } = given
  return inWorkspace(node.SVC_DATA_DIR, async ({ directory: scratch, tenure }) => {
    const place = await openPlace(given.place, { ...given, scratch, tenure })
    const store = await openOrigin(node, { tenure: ofData })
    try {
      const result = await work({ place, store, scratch })
      return { ...result, location: place.location, keyLocation: keyLocation(node) }
    } finally {
      await Promise.all([place.close(), store.close()])
    }
  })
}

function sourceOf({ node: { DATABASE_URL: url }, requests }: GivenBackUp): Source {
  return url === undefined ? embeddedSource(requests.hold, requests.copyDatabase) : postgresSource(url)
}
