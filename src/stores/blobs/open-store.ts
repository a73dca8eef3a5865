/** Opens the blob store of the settings: files in the data directory, or a bucket behind a cache. */
import { join } from 'node:path'
import { SettingsError } from '../../lib/settings/error.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { diskReserveOf } from '../data-dir/disk-reserve.ts'
import type { Tenure } from '../data-dir/tenures.ts'
import type { BlobStore } from './blob-store.ts'
import { type CacheIndex, openCacheIndex } from './cache/cache-index.ts'
import { readThrough } from './cache/cached-store.ts'
import { createDiskCache } from './cache/disk-cache.ts'
import { createFileBlobStore } from './file-store.ts'
import type { Losses } from './lost-objects.ts'
import { withJournal } from './put-journal.ts'
import { createS3Client, type S3Address } from './s3/client.ts'
import { createS3BlobStore } from './s3/s3-store.ts'

export type OpenBlobStore = {
  blobs: BlobStore
  /** The same without the cache. */
  origin: BlobStore
  /** Where the objects are, for people: a directory, or `s3://<bucket>/<prefix>`. */
  location: string
  /** The index of its cache, if it has one. */
  cacheIndex?: CacheIndex
  close(): Promise<void>
}

/**
 * Checks that the bucket can be written.
 * @throws SettingsError with the service's refusal.
 */
export async function checkUsable({
  blobs,
  location,
}: Pick<OpenBlobStore, 'blobs' | 'location'>): Promise<void> {
  if (!blobs.isShared) return
  await blobs.check().catch((error: Error) => {
    const { cause } = error
    const why = cause instanceof Error ? cause.message : error.message
    throw new SettingsError(`${location} can't be used: ${why}. Check SVC_BLOBS and the settings SVC_S3_*.`)
  })
}

type Origin = {
  /** Gets objects that aren't in the bucket. */
  losses?: Losses
  /** That of the data directory, which this process holds. */
  tenure?: Tenure | undefined
}

/**
 * Opens the store, with a cache on disk if it is a bucket: by the index that another process of the node
 * keeps, or else by one of its own. Sends no request yet.
 */
export async function openBlobStore(
  settings: Settings,
  given?: CacheIndex,
  origins: Origin = {},
): Promise<OpenBlobStore> {
  const opened = await openOrigin(settings, origins)
  const blobs = await withJournal(opened.blobs, journalsOf(settings), origins.tenure)
  const origin = { ...opened, blobs, origin: blobs }
  if (!blobs.isShared) return origin
  const { SVC_CACHE_BYTES: maxBytes } = settings
  const directory = join(settings.SVC_DATA_DIR, 'cache')
  const index = given ?? (await openCacheIndex(directory, maxBytes))
  const cache = createDiskCache(directory, origin.blobs, { maxBytes, index, disk: diskReserveOf(settings) })
  return {
    blobs: readThrough(origin.blobs, cache),
    origin: origin.blobs,
    location: origin.location,
    cacheIndex: index,
    async close() {
      await cache.close()
      await index.close()
      await origin.close()
    },
  }
}

/** The directory for journals of what is put into it. */
export function journalsOf({ SVC_DATA_DIR: directory }: Settings): string {
  return join(directory, 'puts')
}

/** Opens the store itself. Sends no request yet. */
export async function openOrigin(
  settings: Settings,
  { losses, tenure }: Origin = {},
): Promise<OpenBlobStore> {
  const address = addressOf(settings)
  if (!address) {
    const location = join(settings.SVC_DATA_DIR, 'blobs')
    const blobs = await createFileBlobStore(location, diskReserveOf(settings), tenure)
    return { blobs, origin: blobs, location, close: async () => {} }
  }
  const client = createS3Client(address)
  const blobs = createS3BlobStore(client, losses)
  return {
    blobs: settings.SVC_S3_DIRECT_UPLOADS ? blobs : { ...blobs, directUploads: async () => undefined },
    origin: blobs,
    location: `s3://${address.bucket}/${address.prefix}`,
    close: () => client.close(),
  }
}

/** The bucket of the settings; undefined without one. */
export function addressOf(settings: Settings): S3Address | undefined {
  const { SVC_BLOBS: bucket, SVC_S3_ENDPOINT: endpoint, SVC_S3_REGION: region } = settings
  if (!bucket) return undefined
  return {
    endpoint: new URL(endpoint ?? `https://s3.${region}.amazonaws.com`),
    region,
    bucket: bucket.name,
    prefix: bucket.prefix,
    isPathStyle: settings.SVC_S3_PATH_STYLE ?? endpoint !== undefined,
    credentials: {
      accessKeyId: settings.SVC_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.SVC_S3_SECRET_ACCESS_KEY ?? '',
      sessionToken: settings.SVC_S3_SESSION_TOKEN,
    },
  }
}
