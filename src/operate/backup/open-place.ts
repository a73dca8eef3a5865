/** Opens the place of backups that a command names. */
import { isAbsolute, relative, resolve } from 'node:path'
import { SettingsError } from '../../lib/settings/error.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { addressOf } from '../../stores/blobs/open-store.ts'
import type { Tenure } from '../../stores/data-dir/tenures.ts'
import type { Place } from './backup-place.ts'
import { openBucketPlace } from './bucket-place.ts'
import { openDirectoryPlace } from './directory-place.ts'

type Options = {
  /** The settings of the node. */
  node: Settings
  bucket: Settings | undefined
  /** For temporary files. */
  scratch: string
  /** That of the lock under which this node's backups are made. */
  tenure: Tenure
}

/**
 * The place named by `place`: a directory, or with `bucket` the bucket of those settings.
 * @throws SettingsError for a place in which the node keeps its own files.
 */
export async function openPlace(place: string, { node, bucket, scratch, tenure }: Options): Promise<Place> {
  refuseOwnPlace(place, { node, bucket })
  const address = bucket && addressOf(bucket)
  if (address === undefined) return openDirectoryPlace(resolve(place), node.SVC_DISK_RESERVE, tenure)
  return openBucketPlace(address, scratch, { reserveBytes: node.SVC_DISK_RESERVE, tenure })
}

/** @throws SettingsError for a place in which the node keeps its own files. */
export function refuseOwnPlace(place: string, { node, bucket }: Pick<Options, 'node' | 'bucket'>): void {
  const address = bucket && addressOf(bucket)
  if (address === undefined) {
    const directory = resolve(place)
    if (isWithin(node.SVC_DATA_DIR, directory))
      throw own(`${directory} is in SVC_DATA_DIR`, '/var/backups/svc')
    return
  }
  const used = addressOf(node)
  if (used && used.bucket === address.bucket && used.prefix === address.prefix)
    throw own(`${place} has the files of the sites`, `s3://${address.bucket}/backups`)
}

function isWithin(parent: string, path: string): boolean {
  const way = relative(resolve(parent), path)
  return !isAbsolute(way) && !/^\.\.(\/|$)/.test(way)
}

function own(what: string, example: string): SettingsError {
  return new SettingsError(`${what}: name another place for backups, such as ${example}.`)
}
