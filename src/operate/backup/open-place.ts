/** Opens the place of backups that a command names. */
import { isAbsolute, relative, resolve } from 'node:path'
import { SettingsError } from '../../lib/settings/error.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { addressOf } from '../../stores/blobs/open-store.ts'
import { openBucketPlace } from './bucket-place.ts'
import { openDirectoryPlace } from './directory-place.ts'
import type { Place } from './place.ts'

/**
 * The place named by `place`: a directory, or with `bucket` the bucket of those settings. `node` has the
 * settings of the node; temporary files are kept in `scratch`.
 * @throws SettingsError for a place in which the node keeps its own files.
 */
export async function openPlace(
  place: string,
  { node, bucket, scratch }: { node: Settings; bucket: Settings | undefined; scratch: string },
): Promise<Place> {
  const address = bucket && addressOf(bucket)
  if (address === undefined) {
    const directory = resolve(place)
    if (isWithin(node.SVC_DATA_DIR, directory))
      throw own(`${directory} is in SVC_DATA_DIR`, '/var/backups/svc')
    return openDirectoryPlace(directory, node.SVC_DISK_RESERVE)
  }
  const used = addressOf(node)
  if (used && used.bucket === address.bucket && used.prefix === address.prefix)
    throw own(`${place} has the files of the sites`, `s3://${address.bucket}/backups`)
  return openBucketPlace(address, scratch, node.SVC_DISK_RESERVE)
}

function isWithin(parent: string, path: string): boolean {
  const way = relative(resolve(parent), path)
  return !isAbsolute(way) && !/^\.\.(\/|$)/.test(way)
}

function own(what: string, example: string): SettingsError {
  return new SettingsError(`${what}: name another place for backups, such as ${example}.`)
}
