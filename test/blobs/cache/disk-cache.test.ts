import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OwnCacheIndex, openCacheIndex } from '../../../src/blobs/cache/cache-index.ts'
import { readThrough } from '../../../src/blobs/cache/cached-store.ts'
import { createDiskCache, type DiskCache } from '../../../src/blobs/cache/disk-cache.ts'
import { createS3Client, type S3Client } from '../../../src/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../src/blobs/s3/s3-store.ts'
import { newId } from '../../../src/ids.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { chunks, describeBlobStore, identityOf } from '../conformance.ts'

const mebibyte = 1024 * 1024
type Opened = DiskCache & { index: OwnCacheIndex }

const whole = { start: 0, end: Number.POSITIVE_INFINITY }

describeBlobStore('a store read through a cache', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-cache-'))
  const server = await startS3()
  const client = createS3Client(server.address)
  const store = createS3BlobStore(client)
  const maxBytes = 10 * mebibyte
  const index = await openCacheIndex(directory, maxBytes)
  const cache = createDiskCache(directory, store, { maxBytes, index })
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

describe('a cache on disk', () => {
  let directory: string
  let server: S3Server
  let client: S3Client
  let cache: Opened
  const opened: { close(): Promise<unknown> }[] = []
  const teamId = newId('team', Date.now())

  /** With an index of its own, or beside another one in the same directory. */
  const open = async (maxBytes = 10 * mebibyte, beside?: OwnCacheIndex) => {
    const index = beside ?? (await openCacheIndex(directory, maxBytes))
    const cache = createDiskCache(directory, createS3BlobStore(client), { maxBytes, index })
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
  const read = (object: string, range = whole, from = cache) =>
    buffer(Readable.from(from.read(object, range)))
  const gets = () => server.requests.filter((request) => request.startsWith('GET')).length
  const files = async () => (await readdir(join(directory, 'objects', teamId)).catch(() => [])).length
  const settled = () => expect.poll(() => readdir(join(directory, 'incoming'))).toEqual([])

  it('requests an object once, however many read it, whole or in ranges', async () => {
    const content = randomBytes(200_000)
    const object = await put(content)
    server.fail(() => ({ delayMs: 50 }))
    const ranges = Array.from({ length: 1_000 }, (_, at) =>
      at % 2 ? whole : { start: at * 200, end: at * 200 + 99 },
    )
    const found = await Promise.all(ranges.map((range) => read(object, range)))
    for (const [at, { start, end }] of ranges.entries())
      expect(found[at]?.equals(content.subarray(start, Math.min(end + 1, content.length)))).toBe(true)
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
    const ranges = [
      { start: 0, end: 99 },
      { start: 0, end: mebibyte },
      { start: 2 * mebibyte - 100, end: 2 * mebibyte - 1 },
    ]
    const reading = ranges.map((range) => read(object, range).catch((error: unknown) => error))
    for (const outcome of await Promise.all(reading))
      expect(outcome).toMatchObject({ reason: 'store_unavailable' })
    server.fail(() => undefined)
    for (const { start, end } of ranges)
      expect((await read(object, { start, end })).equals(content.subarray(start, end + 1))).toBe(true)
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
    for (const range of [whole, { start: 10, end: 299_000 }]) {
      const expected = content.subarray(range.start, Math.min(range.end + 1, content.length))
      expect((await read(object, range, small)).equals(expected)).toBe(true)
    }
    await settled()
    expect(await files()).toBe(0)
  })

  describe.each([
    ['too large for it', 1_000_000, async () => {}],
    ['on a disk that fails', 10 * mebibyte, () => rm(join(directory, 'incoming'), { recursive: true })],
  ])('of a damaged object that is %s', (_, maxBytes, spoil) => {
    it.each([
      ['whole', whole],
      ['as a range over all of it', { start: 0, end: 299_999 }],
      ['as a range beyond its end', { start: 0, end: 400_000 }],
    ])('nothing is yielded that looks %s', async (_, range) => {
      const small = await open(maxBytes)
      const object = await put(randomBytes(300_000))
      await spoil()
      server.fail((method) => (method === 'GET' ? { damage: true } : undefined))
      await expect(read(object, range, small)).rejects.toMatchObject({ reason: 'store_unavailable' })
      await expect(read(object, range, small)).rejects.toMatchObject({ reason: 'store_unavailable' })
    })
  })

  it('verifies across the point where its disk became full', async ({ skip }) => {
    const disk = await mountSmallDisk('400k')
    if (!disk) return skip('this process may not mount a tmpfs')
    const maxBytes = 100 * mebibyte
    const index = await openCacheIndex(disk, maxBytes)
    const made = createDiskCache(disk, createS3BlobStore(client), { maxBytes, index })
    const full = Object.assign(made, { index })
    opened.push({ close: () => Promise.all([full.close(), index.close()]) })
    const content = randomBytes(3 * mebibyte)
    const object = await put(content)
    const range = { start: 0, end: content.length - 1 }
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
    expect((await read(object, { start: 1, end: 2 })).toString()).toBe('el')
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
