/** Backups in a bucket, below a prefix. */
import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { isLeftByDead, newIncomingName } from '../../stores/blobs/incoming.ts'
import { createS3Client, type S3Address } from '../../stores/blobs/s3/client.ts'
import { deleteObject, findObject, listNames, listObjects, putObject } from '../../stores/blobs/s3/objects.ts'
import { createS3BlobStore } from '../../stores/blobs/s3/s3-store.ts'
import { createUpload } from '../../stores/blobs/s3/upload.ts'
import { streamFile } from '../../stores/blobs/stream-file.ts'
import { createDiskReserve, withinReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Tenure } from '../../stores/data-dir/tenures.ts'
import { isBackupName, measured, missingFile, type Place, type Written, writer } from './backup-place.ts'
import { descriptionFile } from './description.ts'

const deletesAtOnce = 16

type Options = {
  /** The reserve of the disk of `scratch`, as `createDiskReserve` takes it. */
  reserveBytes?: number | undefined
  /** That of the lock under which backups are made. */
  tenure?: Tenure | undefined
}

/**
 * Opens it, and sends no request yet. What is written is held in a file in `scratch` first: a service wants
 * to know its length and its digest before the bytes.
 */
export function openBucketPlace(
  address: S3Address,
  scratch: string,
  { reserveBytes, tenure }: Options = {},
): Place {
  const disk = createDiskReserve(scratch, reserveBytes)
  const client = createS3Client(address)
  const blobClient = createS3Client({ ...address, prefix: `${address.prefix}blobs/` })
  const upload = createUpload(client)
  const location = `s3://${address.bucket}/${address.prefix}`
  const list = async () => (await listNames(client, '')).filter(isBackupName).sort()
  const has = async (backup: string, file: string) =>
    (await findObject(client, `${backup}/${file}`)) !== undefined
  const marks = new Map<string, string>()

  /** Notes in a backup, before it has a file, which process makes it. */
  async function mark(backup: string): Promise<void> {
    if (marks.has(backup)) return
    const key = `${backup}/${writer}${await newIncomingName(tenure)}`
    await putObject(client, key, Buffer.alloc(0))
    marks.set(backup, key)
  }

  async function isLeft(backup: string): Promise<boolean> {
    if (await has(backup, descriptionFile)) return false
    const writers: string[] = []
    for await (const page of listObjects(client, `${backup}/${writer}`))
      writers.push(...page.map(({ key }) => key.slice(`${backup}/${writer}`.length)))
    const dead = await Promise.all(writers.map((name) => isLeftByDead(name, tenure)))
    return dead.length > 0 && !dead.includes(false)
  }

  async function removeAll(backup: string): Promise<void> {
    for await (const page of listObjects(client, `${backup}/`))
      await inParallel(page, deletesAtOnce, ({ key }) => deleteObject(client, key))
  }

  return {
    location,
    blobs: createS3BlobStore(blobClient),

    list,

    has,

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
        if (file !== descriptionFile) await mark(backup)
        await upload(`${backup}/${file}`, { size: written.bytes, sha256: written.sha256 }, streamFile(draft))
        const made = marks.get(backup)
        // With its description a backup is whole.
        if (file === descriptionFile && made !== undefined) await deleteObject(client, made)
        return written
      } finally {
        await rm(draft, { force: true })
      }
    },

    remove: (backup, file) => deleteObject(client, `${backup}/${file}`),

    removeAll,

    async removeLeft() {
      for (const backup of await list()) if (await isLeft(backup)) await removeAll(backup)
    },

    async close() {
      await Promise.all([client.close(), blobClient.close()])
    },
  }
}
