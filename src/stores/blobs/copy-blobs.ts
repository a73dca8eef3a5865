/** Copies an installation's files between its data directory and buckets. */
import { SettingsError } from '../../lib/settings/error.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { type Copied, type Copying, copyObjects } from './copy-objects.ts'
import { checkUsable, type OpenBlobStore, openOrigin } from './open-store.ts'

type Options = Pick<Copying, 'signal' | 'progress'>

/** The result of a copy, with its two places, for people. */
export type CopiedBlobs = Copied & { from: string; to: string }

/**
 * Copies what is missing from the store of one node's settings to that of others; nodes may run on either.
 * @throws SettingsError if they are the same, of different installations, or can't be used; otherwise as
 * `copyObjects`.
 */
export async function copyBlobs(from: Settings, to: Settings, options: Options): Promise<CopiedBlobs> {
  const source = await openOrigin(from)
  const target = await openOrigin(to)
  try {
    if (source.location === target.location) throw new SettingsError('Both are the same place.')
    await checkUsable(source)
    await checkUsable(target)
    await shareOwner(source, target)
    const copied = await copyObjects({ from: source.blobs, to: target.blobs, ...options })
    return { from: source.location, to: target.location, ...copied }
  } finally {
    await source.close()
    await target.close()
  }
}

/** Marks the target as the installation's, as far as it isn't another one's. */
async function shareOwner(source: OpenBlobStore, target: OpenBlobStore): Promise<void> {
  const [from, to] = await Promise.all([source.blobs.readOwner(), target.blobs.readOwner()])
  if (from === undefined) {
    throw new SettingsError(`There are no files of an installation in ${source.location}.`)
  }
  if (to === undefined) await target.blobs.setOwner(from)
  else if (to !== from) {
    throw new SettingsError(
      `The files in ${target.location} belong to installation ${to}, ` +
        `and those in ${source.location} to ${from}.`,
    )
  }
}
