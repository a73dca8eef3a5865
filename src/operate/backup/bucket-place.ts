/** Backups in a bucket, below a prefix. */
import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { createS3Client, type S3Address } from '../../stores/blobs/s3/client.ts'
import { deleteObject, findObject, listNames, listObjects } from '../../stores/blobs/s3/objects.ts'
import { createS3BlobStore } from '../../stores/blobs/s3/s3-store.ts'
import { createUpload } from '../../stores/blobs/s3/upload.ts'
import { streamFile } from '../../stores/blobs/stream-file.ts'
import { createDiskReserve, withinReserve } from '../../stores/data-dir/disk-reserve.ts'
import { isBackupName, measured, missingFile, type Place, type Written } from './place.ts'

const deletesAtOnce = 16

/**
 * Opens it, and sends no request yet. What is written is held in a file in `scratch` first: a service wants
 * to know its length and its digest before the bytes. The disk of `scratch` keeps `reserveBytes` free, as
 * `createDiskReserve` takes them.
 */
export function openBucketPlace(address: S3Address, scratch: string, reserveBytes?: number): Place {
  const disk = createDiskReserve(scratch, reserveBytes)
  const client = createS3Client(address)
  const blobClient = createS3Client({ ...address, prefix: `${address.prefix}blobs/` })
  const upload = createUpload(client)
  const location = `s3://${address.bucket}/${address.prefix}`
  return {
    location,
    blobs: createS3BlobStore(blobClient),

    async list() {
      return (await listNames(client, '')).filter(isBackupName).sort()
    },

    has: async (backup, file) => (await findObject(client, `${backup}/${file}`)) !== undefined,

    async *read(backup, file) {
      const response = await client.requestIfAny({ method: 'GET', key: `${backup}/${file}` })
      if (response === undefined) throw missingFile(`${location}${backup}/${file}`)
      yield* response.bytes()
    },

    async write(backup, file, source) {
      const draft = join(scratch, randomBytes(8).toString('hex'))
      let written: Written = { bytes: 0, sha256: '' }
      try {
        const whole = measured(withinReserve(disk, source), (ended) => (written = ended))
        // Opened first: a stream that fails while it opens its file may create it after it was removed.
        const handle = await open(draft, 'wx', 0o600)
        await pipeline(whole, handle.createWriteStream())
        await upload(`${backup}/${file}`, { size: written.bytes, sha256: written.sha256 }, streamFile(draft))
        return written
      } finally {
        await rm(draft, { force: true })
      }
    },

    remove: (backup, file) => deleteObject(client, `${backup}/${file}`),

    async removeAll(backup) {
      for await (const page of listObjects(client, `${backup}/`))
        await inParallel(page, deletesAtOnce, ({ key }) => deleteObject(client, key))
    },

    // Nobody can see there whether a process died; `prune` looks at the age.
    removeLeft: async () => {},

    async close() {
      await Promise.all([client.close(), blobClient.close()])
    },
  }
}
