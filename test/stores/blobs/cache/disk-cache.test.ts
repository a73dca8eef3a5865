import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { type OwnCacheIndex, openCacheIndex } from '../../../../src/stores/blobs/cache/cache-index.ts'
import { readThrough } from '../../../../src/stores/blobs/cache/cached-store.ts'
import { createDiskCache, type DiskCache } from '../../../../src/stores/blobs/cache/disk-cache.ts'
import type { Part } from '../../../../src/stores/blobs/part.ts'
import { createS3Client, type S3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { createDiskReserve, unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { eventually } from '../../../support/eventually.ts'
import { type S3Server, startS3 } from '../../../support/s3/server.ts'
import { mountSmallDisk } from '../../../support/small-disk.ts'
import { chunks, describeBlobStore, identityOf } from '../conformance.ts'

const run = promisify(execFile)

const mebibyte = 1024 * 1024
type Opened = DiskCache & { index: OwnCacheIndex }

const whole: Part | undefined = undefined

describeBlobStore('a store read through a cache', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-cache-'))
  const server = await startS3()
  const client = createS3Client(server.address)
  const store = createS3BlobStore(client)
  const maxBytes = 10 * mebibyte
  const index = await openCacheIndex(directory, maxBytes)
  const cache = createDiskCache(directory, store, { maxBytes, index, disk: unreserved })
  return {
    store: readThrough(store, cache),
    unfinished: async () => (await readdir(join(directory, 'incoming'))).length,
    async close() {
      await cache.close()
      await index.close()
      await client.close()
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
})

/** As a tool that restores times does. */
async function writeAtTheSameTime(path: string, text: string): Promise<void> {
  await run('cp', ['-p', path, `${path}.before`])
  await writeFile(path, text)
  await run('touch', ['-r', `${path}.before`, path])
}

describe('a cache on disk', () => {
  let directory: string
  let server: S3Server
  let client: S3Client
  let cache: Opened
  const opened: { close(): Promise<unknown> }[] = []
  const teamId = newId('team', Date.now())

  /** With an index of its own, or beside another one in the same directory. */
  const open = async (maxBytes = 10 * mebibyte, beside?: OwnCacheIndex, disk = unreserved) => {
    const index = beside ?? (await openCacheIndex(directory, maxBytes))
    const cache = createDiskCache(directory, createS3BlobStore(client), { maxBytes, index, disk })
    opened.push({ close: () => Promise.all([cache.close(), beside ? undefined : index.close()]) })
    return Object.assign(cache, { index })
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-cache-'))
    server = await startS3()
    client = createS3Client(server.address)
    cache = await open()
  })

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
    await client.close()
    await server.close()
    await rm(directory, { recursive: true, force: true })
  })

  const put = (content: Uint8Array) =>
    createS3BlobStore(client).put(teamId, identityOf(content), chunks(content))
  const read = (object: string, part?: Part, from = cache) => buffer(Readable.from(from.read(object, part)))
  const filesIn = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
      .length
  const gets = () => server.requests.filter((request) => request.startsWith('GET')).length
  const files = async () => (await readdir(join(directory, 'objects', teamId)).catch(() => [])).length
  const settled = () => expect.poll(() => readdir(join(directory, 'incoming'))).toEqual([])

  it('requests an object once, however many read it, whole or in ranges', async () => {
    const content = randomBytes(200_000)
    const object = await put(content)
    server.fail(() => ({ delayMs: 50 }))
    const ranges = Array.from({ length: 1_000 }, (_, at) =>
      at % 2 ? whole : { start: at * 200, end: at * 200 + 99, size: content.length },
    )
    const found = await Promise.all(ranges.map((range) => read(object, range)))
    for (const [at, { start, end } = { start: 0, end: content.length }] of ranges.entries())
      expect(found[at]?.equals(content.subarray(start, end + 1))).toBe(true)
    await settled()
    expect((await read(object)).equals(content)).toBe(true)
    expect(gets()).toBe(1)
  })

  it('requests an object again for who came while a request was under way that failed', async () => {
    const content = randomBytes(200_000)
    const object = await put(content)
    let requests = 0
    server.fail(() => (++requests === 1 ? { delayMs: 50, status: 403 } : { delayMs: 50 }))
    const first = expect(read(object)).rejects.toMatchObject({ reason: 'store_unavailable' })
    await expect.poll(gets).toBe(1)
    const found = await Promise.all(Array.from({ length: 100 }, () => read(object)))
    await first
    expect(found.every((bytes) => bytes.equals(content))).toBe(true)
    await settled()
    expect((await read(object)).equals(content)).toBe(true)
    expect(gets()).toBe(2)
  })

  it('yields bytes as they arrive', async () => {
    const content = randomBytes(2 * mebibyte)
    const object = await put(content)
    server.fail(() => ({ cut: mebibyte }))
    let received = 0
    await expect(async () => {
      for await (const chunk of cache.read(object, whole)) received += chunk.length
    }).rejects.toMatchObject({ reason: 'store_unavailable' })
    expect(received).toBeGreaterThan(mebibyte / 2)
    server.fail(() => undefined)
    expect((await read(object)).equals(content)).toBe(true)
  })

  it('serves what it has while the service is away, and after a start', async () => {
    const object = await put(Buffer.from('hello'))
    await read(object)
    await settled()
    server.fail(() => ({ status: 500 }))
    expect((await read(object)).toString()).toBe('hello')
    await cache.close()
    expect((await read(object, whole, await open())).toString()).toBe('hello')
  })

  const spoilings: [string, (path: string) => Promise<void>][] = [
    ['half a file', (path) => truncate(path, 2)],
    ['other bytes', (path) => writeFile(path, 'hullo')],
    ['nothing', (path) => rm(path)],
  ]

  it.each(
    spoilings.flatMap(([what, spoil]) => [
      { what, spoil, when: 'at once' },
      { what, spoil, when: 'once the files are counted' },
    ]),
  )('requests an object again when a start finds $what, $when', async ({ spoil, when }) => {
    const object = await put(Buffer.from('hello'))
    await read(object)
    await settled()
    await cache.close()
    await spoil(join(directory, 'objects', object))
    const again = await open()
    if (when !== 'at once') await again.index.counted
    expect((await read(object, whole, again)).toString()).toBe('hello')
    expect(gets()).toBe(2)
  })

  describe.each([
    ['whole', whole],
    ['as a range over all of it', { start: 0, end: 4, size: 5 }],
    ['as a part', { start: 1, end: 3, size: 5 }],
  ])('read %s', (_, part) => {
    it.each([
      ...spoilings,
      ['more bytes', (path: string) => writeFile(path, 'hello!')] as const,
      ['other bytes of the same time', (path: string) => writeAtTheSameTime(path, 'hullo')] as const,
    ])('requests an object again whose file is found with %s later', async (_, spoil) => {
      const object = await put(Buffer.from('hello'))
      for (let times = 1; times <= 2; times += 1) {
        await read(object, part)
        await settled()
        // The file system's clock ticks every few milliseconds.
        await sleep(20)
        await spoil(join(directory, 'objects', object))
        expect((await read(object, part)).toString()).toBe(part?.start === 1 ? 'ell' : 'hello')
        expect((await cache.readWhole(object)).toString()).toBe('hello')
        await settled()
        expect(gets()).toBe(1 + times)
      }
    })
  })

  it.each(spoilings)('requests an object again when it is loaded and its file has %s', async (_, spoil) => {
    const object = await put(Buffer.from('hello'))
    await cache.readWhole(object)
    await settled()
    await spoil(join(directory, 'objects', object))
    expect((await cache.readWhole(object)).toString()).toBe('hello')
    expect(gets()).toBe(2)
  })

  it.each([
    ['another length', (path: string) => truncate(path, 3 * mebibyte)] as const,
    ['other bytes', (path: string) => writeFile(path, 'x', { flag: 'r+' })] as const,
  ])('yields nothing that looks whole when its file gets %s while it is read', async (_, spoil) => {
    const large = await open(40 * mebibyte)
    const content = randomBytes(4 * mebibyte)
    const object = await put(content)
    const part = { start: 0, end: content.length - 1, size: content.length }
    await read(object, part, large)
    await settled()
    await sleep(20)
    await expect(async () => {
      let received = 0
      for await (const chunk of large.read(object, part)) {
        if (received === 0) await spoil(join(directory, 'objects', object))
        received += chunk.length
      }
    }).rejects.toMatchObject({ name: 'ObjectDamaged' })
    expect((await read(object, part, large)).equals(content)).toBe(true)
    expect(gets()).toBe(2)
  })

  it('yields all of a file that is evicted while it is read', async () => {
    const large = await open(40 * mebibyte)
    const content = randomBytes(4 * mebibyte)
    const object = await put(content)
    const part = { start: 0, end: content.length - 1, size: content.length }
    await read(object, part, large)
    await settled()
    const chunks: Buffer[] = []
    for await (const chunk of large.read(object, part)) {
      if (chunks.length === 0) large.forget(object)
      chunks.push(chunk)
      await expect.poll(files).toBe(0)
    }
    expect(Buffer.concat(chunks).equals(content)).toBe(true)
    expect(gets()).toBe(1)
  })

  it('never keeps a damaged object', async () => {
    const object = await put(Buffer.from('hello'))
    server.fail(() => ({ damage: true }))
    await expect(read(object)).rejects.toMatchObject({ reason: 'store_unavailable' })
    await settled()
    expect(await files()).toBe(0)
    server.fail(() => undefined)
    expect((await read(object)).toString()).toBe('hello')
  })

  it('yields no range of a damaged object whole, though its bytes arrive before the others', async () => {
    const content = randomBytes(2 * mebibyte)
    const object = await put(content)
    server.fail(() => ({ damage: true }))
    const size = content.length
    const ranges = [
      { start: 0, end: 99, size },
      { start: 0, end: mebibyte, size },
      { start: size - 100, end: size - 1, size },
    ]
    const reading = ranges.map((range) => read(object, range).catch((error: unknown) => error))
    for (const outcome of await Promise.all(reading))
      expect(outcome).toMatchObject({ reason: 'store_unavailable' })
    server.fail(() => undefined)
    for (const { start, end } of ranges)
      expect((await read(object, { start, end, size })).equals(content.subarray(start, end + 1))).toBe(true)
  })

  it('evicts the least recently used beyond its size', async () => {
    const small = await open(10 * 100_000)
    const objects = await Promise.all(Array.from({ length: 12 }, () => put(randomBytes(100_000))))
    for (const object of objects.slice(0, 10)) await read(object, whole, small)
    await settled()
    await read(objects[0] ?? '', whole, small)
    for (const object of objects.slice(10)) await read(object, whole, small)
    await expect.poll(files).toBe(10)
    const before = gets()
    await read(objects[0] ?? '', whole, small)
    expect(gets()).toBe(before)
    await read(objects[1] ?? '', whole, small)
    expect(gets()).toBe(before + 1)
  })

  it('bounds what a start finds, too', async () => {
    for (let at = 0; at < 10; at += 1) await read(await put(randomBytes(100_000)))
    await settled()
    await cache.close()
    await open(4 * 100_000)
    await expect.poll(files).toBe(4)
  })

  it('passes on an object of more than a quarter of its size, and then keeps none of it', async () => {
    const small = await open(1_000_000)
    const content = randomBytes(300_000)
    const object = await put(content)
    expect((await read(object, whole, small)).equals(content)).toBe(true)
    const range = { start: 10, end: 299_000, size: content.length }
    expect((await read(object, range, small)).equals(content.subarray(10, 299_001))).toBe(true)
    await settled()
    expect(await files()).toBe(0)
  })

  describe.each([
    ['too large for it', 1_000_000, async () => {}],
    ['on a disk that fails', 10 * mebibyte, () => rm(join(directory, 'incoming'), { recursive: true })],
  ])('of a damaged object that is %s', (_, maxBytes, spoil) => {
    it.each([
      ['whole', whole],
      ['as a range over all of it', { start: 0, end: 299_999, size: 300_000 }],
      ['as a range beyond its end', { start: 0, end: 400_000, size: 300_000 }],
    ])('nothing is yielded that looks %s', async (_, range) => {
      const small = await open(maxBytes)
      const object = await put(randomBytes(300_000))
      await spoil()
      server.fail((method) => (method === 'GET' ? { damage: true } : undefined))
      await expect(read(object, range, small)).rejects.toMatchObject({ reason: 'store_unavailable' })
      await expect(read(object, range, small)).rejects.toMatchObject({ reason: 'store_unavailable' })
    })
  })

  it('stores nothing while its disk is nearly full, and serves what it has', async () => {
    const content = randomBytes(300_000)
    const [object, other] = [await put(content), await put(randomBytes(100))]
    await read(object)
    const before = await filesIn()
    let isFull = true
    const reserve = createDiskReserve(directory, 1024 ** 5)
    const disk = {
      ...unreserved,
      isFull: async () => isFull && reserve.isFull(),
      require: async () => (isFull ? reserve.require() : undefined),
    }
    const full = await open(10 * mebibyte, cache.index, disk)
    const requests = gets()
    expect((await read(object, whole, full)).equals(content)).toBe(true)
    expect(gets()).toBe(requests)
    for (const times of [1, 2]) {
      expect(await read(other, whole, full)).toHaveLength(100)
      expect((await full.readWhole(other)).length).toBe(100)
      expect(gets()).toBe(requests + 2 * times)
      expect(await filesIn()).toBe(before)
    }
    isFull = false
    await read(other, whole, full)
    await eventually(async () => expect(await filesIn()).toBe(before + 1))
  })

  it('gives up a file on its way when its disk becomes nearly full, and serves it whole', async () => {
    const content = randomBytes(3 * mebibyte)
    const object = await put(content)
    const before = await filesIn()
    const reserve = createDiskReserve(directory, 1024 ** 5)
    let chunksUntilFull = 2
    const require = async () => (chunksUntilFull-- > 0 ? undefined : reserve.require())
    const full = await open(100 * mebibyte, cache.index, { ...unreserved, require })
    const begun = await put(randomBytes(10))
    expect((await read(object, whole, full)).equals(content)).toBe(true)
    await eventually(async () => expect(await filesIn()).toBe(before))
    // Not because it was too large: what comes later is tried again.
    chunksUntilFull = Number.POSITIVE_INFINITY
    expect(await read(begun, whole, full)).toHaveLength(10)
    expect((await read(object, whole, full)).equals(content)).toBe(true)
    await eventually(async () => expect(await filesIn()).toBe(before + 2))
  })

  it('verifies across the point where its disk became full', async ({ skip }) => {
    const disk = await mountSmallDisk('400k')
    if (!disk) return skip('this process may not mount a tmpfs')
    const maxBytes = 100 * mebibyte
    const index = await openCacheIndex(disk, maxBytes)
    const made = createDiskCache(disk, createS3BlobStore(client), {
      maxBytes,
      index,
      disk: unreserved,
    })
    const full = Object.assign(made, { index })
    opened.push({ close: () => Promise.all([full.close(), index.close()]) })
    const content = randomBytes(3 * mebibyte)
    const object = await put(content)
    const range = { start: 0, end: content.length - 1, size: content.length }
    for (const each of [range, whole]) {
      expect((await read(object, each, full)).equals(content)).toBe(true)
      // Only the first of the two responses.
      const before = gets()
      server.fail((method) => (method === 'GET' && gets() === before + 1 ? { damage: true } : undefined))
      await expect(read(object, each, full)).rejects.toMatchObject({ reason: 'store_unavailable' })
      expect(gets()).toBe(before + 2)
      server.fail(() => undefined)
    }
  })

  it('passes objects on while its disk fails', async () => {
    const object = await put(Buffer.from('hello'))
    await rm(join(directory, 'incoming'), { recursive: true })
    expect((await read(object)).toString()).toBe('hello')
    expect((await read(object, { start: 1, end: 2, size: 5 })).toString()).toBe('el')
    await mkdir(join(directory, 'incoming'))
    expect((await read(object)).toString()).toBe('hello')
    await settled()
    expect(await files()).toBe(1)
  })

  it('lets a reader leave, and still serves the others', async () => {
    const content = randomBytes(2 * mebibyte)
    const object = await put(content)
    for await (const _ of cache.read(object, whole)) break
    expect((await read(object)).equals(content)).toBe(true)
    expect(gets()).toBe(1)
  })

  it('has what another cache in its directory has fetched, and evicts it', async () => {
    const other = await open(4 * 100_000, (await open(4 * 100_000)).index)
    const beside = await open(4 * 100_000, other.index)
    const objects = await Promise.all(Array.from({ length: 5 }, () => put(randomBytes(100_000))))
    for (const object of objects) await read(object, whole, other)
    await settled()
    await expect.poll(files).toBe(4)
    server.fail(() => ({ status: 500 }))
    for (const object of objects.slice(1)) expect(await read(object, whole, beside)).toHaveLength(100_000)
    server.fail(() => undefined)
    await read(objects[0] ?? '', whole, beside)
    await settled()
    await expect.poll(files).toBe(4)
    expect(gets()).toBe(6)
    other.forget(objects[4] ?? '')
    await expect.poll(files).toBe(3)
    await read(objects[4] ?? '', whole, beside)
    expect(gets()).toBe(7)
  })

  it('stops in the middle of a request', async () => {
    const object = await put(randomBytes(mebibyte))
    server.fail(() => ({ delayMs: 300 }))
    const reading = read(object)
    await sleep(20)
    await cache.close()
    await expect(reading).rejects.toThrow()
  })
})
