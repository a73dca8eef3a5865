/** Large files, from the store and from memory. */
import { createHash, randomBytes } from 'node:crypto'
import { open as openFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import type { ManifestFile } from '../../../src/roles/edge/responses/file-headers.ts'
import { createLargeFiles, type LargeFiles } from '../../../src/roles/edge/responses/large-files.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { unique } from '../../support/node.ts'

const mebibyte = 1024 * 1024
const maxBytes = 8 * mebibyte

let blobs: BlobStore
let directory: string
let files: LargeFiles
/** How often a stream was opened in the store. */
let reads: number

beforeEach(async () => {
  directory = join(inject('directory'), unique('large'))
  const store = await createFileBlobStore(directory)
  reads = 0
  blobs = {
    ...store,
    stream(object, range) {
      reads += 1
      return store.stream(object, range)
    },
  }
  files = createLargeFiles(blobs, maxBytes)
})

type Stored = { file: ManifestFile; bytes: Buffer }

async function stored(size: number): Promise<Stored> {
  const bytes = randomBytes(size)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const object = await blobs.put('team', { sha256, size }, Readable.from([bytes]))
  return { file: { path: 'a', sha256, size, object }, bytes }
}

const whole = ({ file }: Stored) => files.stream(file, { start: 0, end: file.size - 1 })

/** Sends the file once. */
async function send(each: Stored): Promise<void> {
  expect((await buffer(whole(each))).equals(each.bytes)).toBe(true)
  files.sent(each.file, each.file.size)
}

/** Sends the file as often as it takes for the cache to keep it. */
async function sendUntilKept(each: Stored): Promise<void> {
  await expect
    .poll(async () => {
      const before = reads
      await send(each)
      return reads - before
    })
    .toBe(0)
}

describe('a file that is requested repeatedly', () => {
  it('is read from the store twice, and a third time to be cached', async () => {
    const each = await stored(4 * mebibyte - 1)
    await send(each)
    expect(reads).toBe(1)
    await send(each)
    expect(reads).toBe(3)
    await sendUntilKept(each)
    await blobs.remove(each.file.object)
    await send(each)
  })

  it('is not read as a whole for clients that take little of it', async () => {
    const { file, bytes } = await stored(4 * mebibyte)
    for (let requests = 1; requests <= 20; requests += 1) {
      const part = await buffer(files.stream(file, { start: 0, end: 9 }))
      expect(part.equals(bytes.subarray(0, 10))).toBe(true)
      files.sent(file, 10)
      expect(reads).toBe(requests)
    }
  })

  it.each([
    [0, 0],
    [0, mebibyte - 1],
    [mebibyte - 1, mebibyte],
    [mebibyte, mebibyte],
    [5, 3 * mebibyte + 7],
    [3 * mebibyte, 3 * mebibyte + 9],
  ])('has its bytes from %i to %i', async (start, end) => {
    const each = await stored(3 * mebibyte + 10)
    await sendUntilKept(each)
    const before = reads
    const bytes = await buffer(files.stream(each.file, { start, end }))
    expect(bytes.equals(each.bytes.subarray(start, end + 1))).toBe(true)
    expect(reads).toBe(before)
  })

  it('is read on from the store when it is evicted while it is being sent', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => stored(4 * mebibyte)))
    if (!first || !second || !third) throw new Error('Nothing was stored.')
    await sendUntilKept(first)
    const sending = whole(first).iterator()
    const chunks = [(await sending.next()).value]
    await sendUntilKept(second)
    await sendUntilKept(third)
    const before = reads
    for await (const chunk of sending) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(first.bytes)).toBe(true)
    expect(reads).toBe(before + 1)
  })

  it('fails when it is evicted while it is being sent, and its bytes in the store are damaged', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => stored(4 * mebibyte)))
    if (!first || !second || !third) throw new Error('Nothing was stored.')
    await sendUntilKept(first)
    const sending = whole(first).iterator()
    await sending.next()
    await sendUntilKept(second)
    await sendUntilKept(third)
    const last = await openFile(join(directory, 'teams', first.file.object), 'r+')
    await last.write('x', first.file.size - 1)
    await last.close()
    await expect(buffer(Readable.from(sending))).rejects.toMatchObject({ name: 'ObjectDamaged' })
  })
})

describe('is read from the store each time', () => {
  it('a file that would take more than half of the memory', async () => {
    const each = await stored(4 * mebibyte + 1)
    for (let requests = 1; requests <= 6; requests += 1) {
      await send(each)
      expect(reads).toBe(requests)
    }
  })

  it.each([-1, 1])('a file whose row has a length that is wrong by %i', async (difference) => {
    const { file } = await stored(2 * mebibyte)
    const wrong = { ...file, size: file.size + difference }
    const range = { start: 0, end: 9 }
    for (let requests = 1; requests <= 6; requests += 1) {
      const before = reads
      const reading = buffer(files.stream(wrong, range))
      await expect(reading).rejects.toMatchObject({ name: 'ObjectDamaged' })
      files.sent(wrong, wrong.size)
      expect(reads).toBeGreaterThan(before)
    }
  })
})
