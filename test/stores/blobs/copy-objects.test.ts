import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { type Copied, copyObjects } from '../../../src/stores/blobs/copy-objects.ts'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { createS3Client, type S3Client } from '../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../src/stores/blobs/s3/s3-store.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { chunks, identityOf } from './conformance.ts'

let directory: string
let s3: S3Server
let client: S3Client
let files: BlobStore
let bucket: BlobStore

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-copy-'))
  s3 = await startS3()
  client = createS3Client(s3.address)
  files = await createFileBlobStore(directory)
  bucket = createS3BlobStore(client)
})

afterEach(async () => {
  await client.close()
  await s3.close()
  await rm(directory, { recursive: true, force: true })
})

const teams = [newId('team', Date.now()), newId('team', Date.now())]
const contents = ['', 'small', randomBytes(400_000), ...Array.from({ length: 60 }, (_, at) => `file ${at}`)]

const fillWith = (store: BlobStore) =>
  Promise.all(
    contents.map((content, at) => store.put(teams[at % 2] ?? '', identityOf(content), chunks(content))),
  )

const copy = (from: BlobStore, to: BlobStore, change: Partial<Parameters<typeof copyObjects>[0]> = {}) =>
  copyObjects({ from, to, signal: new AbortController().signal, progress: () => {}, ...change })

const recordedIn = async (store: BlobStore, objects: string[]) =>
  [...(await store.sizesOf(objects))].map(([object, size]) => ({ object, size }))

const bytesOf = (store: BlobStore, objects: string[]) => Promise.all(objects.map(store.read))

describe.each(['files into a bucket', 'a bucket into files'])('a copy of %s', (direction) => {
  const stores = () =>
    direction.startsWith('files') ? { from: files, to: bucket } : { from: bucket, to: files }

  it('has the same objects, and a second one nothing to do', async () => {
    const { from, to } = stores()
    const objects = await fillWith(from)
    const all = { objects: contents.length, copied: contents.length, damaged: [] }
    expect(await copy(from, to)).toMatchObject(all)
    expect(await bytesOf(to, objects)).toEqual(await bytesOf(from, objects))
    expect(await copy(from, to)).toEqual({ ...all, copied: 0, bytes: 0 })
  })

  it('goes on where it was broken off', async () => {
    const { from, to } = stores()
    await fillWith(from)
    const controller = new AbortController()
    const progress = ({ copied }: Copied) => {
      if (copied === 20) controller.abort(new Error('broken off'))
    }
    await expect(copy(from, to, { signal: controller.signal, progress })).rejects.toThrow('broken off')
    const { copied } = await copy(from, to)
    expect(copied).toBeGreaterThan(0)
    expect(copied).toBeLessThan(contents.length - 19)
    expect((await copy(from, to)).copied).toBe(0)
  })

  it('leaves out what is removed meanwhile', async () => {
    const { from, to } = stores()
    const objects = await fillWith(from)
    const gone = objects.slice(0, 10)
    const listing: BlobStore = {
      ...from,
      async *list() {
        for await (const batch of from.list()) {
          await Promise.all(gone.map(from.remove))
          yield batch
        }
      },
    }
    const { copied, damaged } = await copy(listing, to)
    expect(damaged).toEqual([])
    expect(copied).toBe(objects.length - gone.length)
  })
})

it('names damaged objects, and copies the others', async () => {
  const objects = await fillWith(files)
  const [, spoiled = ''] = objects
  await writeFile(join(directory, 'teams', spoiled), 'smell')
  expect(await copy(files, bucket)).toMatchObject({ copied: contents.length - 1, damaged: [spoiled] })
  expect(await bucket.findMissing(await recordedIn(files, objects))).toEqual([spoiled])
})

it('ignores keys that are no objects', async () => {
  const key = 'teams/../../outside'
  s3.bucket.objects.set(key, { bytes: Buffer.from('x'), etag: '"x"', modifiedMs: 0 })
  expect(await copy(bucket, files)).toMatchObject({ objects: 0, copied: 0 })
})

it('ends when the bucket fails', async () => {
  await fillWith(files)
  s3.fail(() => ({ status: 500 }))
  await expect(copy(files, bucket)).rejects.toMatchObject({ reason: 'store_unavailable' })
})
