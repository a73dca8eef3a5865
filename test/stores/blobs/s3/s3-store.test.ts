import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { createS3Client, type S3Address, type S3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { type S3Server, startS3 } from '../../../support/s3/server.ts'
import { chunks, describeBlobStore, identityOf } from '../conformance.ts'

describeBlobStore('a store in a bucket', async () => {
  const server = await startS3()
  const client = createS3Client({ ...server.address, prefix: 'a b/ü+/' })
  return {
    store: createS3BlobStore(client),
    unfinished: async () =>
      server.bucket.uploads.size +
      [...server.bucket.objects.keys()].filter((key) => key.includes('probe')).length,
    async close() {
      await client.close()
      await server.close()
    },
  }
})

describe('a bucket', () => {
  let server: S3Server
  let client: S3Client
  let store: BlobStore
  const teamId = newId('team', Date.now())

  beforeEach(async () => {
    server = await startS3()
    client = createS3Client(server.address)
    store = createS3BlobStore(client)
  })

  afterEach(async () => {
    await client.close()
    await server.close()
  })

  const put = (content: Uint8Array | string) => store.put(teamId, identityOf(content), chunks(content))

  const open = async <T>(change: Partial<S3Address>, use: (store: BlobStore) => Promise<T>): Promise<T> => {
    const other = createS3Client({ ...server.address, ...change })
    return use(createS3BlobStore(other)).finally(() => other.close())
  }

  it('has everything below the prefix', async () => {
    await open({ prefix: 'sites/' }, async (prefixed) => {
      const object = await prefixed.put(teamId, identityOf('x'), chunks('x'))
      await prefixed.setOwner('me')
      await prefixed.discard(object, '2026-01-31')
    })
    expect([...server.bucket.objects.keys()].every((key) => key.startsWith('sites/'))).toBe(true)
    expect(server.bucket.objects.size).toBe(2)
  })

  it('finds the sizes of many objects in a few requests, and of single ones among many', async () => {
    const objects = await Promise.all(Array.from({ length: 1_200 }, (_, i) => put(String(i))))
    const requestsFor = async (wanted: string[]) => {
      const before = server.requests.length
      expect((await store.sizesOf(wanted)).size).toBe(wanted.length)
      return server.requests.length - before
    }
    expect(await requestsFor(objects)).toBeLessThan(4)
    expect(await requestsFor(objects.toSorted().filter((_, i) => i % 600 === 0))).toBeLessThan(3)
    const missing = objects.map((object) => object.replace(/-.{16}$/, '-0000000000000000'))
    expect(await store.sizesOf(missing)).toEqual(new Map())
  })

  it('lists more objects than a page has', async () => {
    const keys = Array.from({ length: 2_345 }, (_, at) => `teams/${teamId}/${at}`)
    const object = { bytes: Buffer.from('x'), etag: '"x"', modifiedMs: 0 }
    for (const key of keys) server.bucket.objects.set(key, object)
    const listed: string[] = []
    for await (const batch of store.listOlderThan(Date.now())) listed.push(...batch)
    expect(listed.map((name) => `teams/${name}`).toSorted()).toEqual(keys.toSorted())
  })

  describe('a large object', () => {
    const content = Buffer.concat(Array.from({ length: 65 }, () => randomBytes(1024 * 1024)))
    async function* slices(end = content.length): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < end; at += 1_500_000) yield content.subarray(at, Math.min(end, at + 1_500_000))
    }

    it('is uploaded in parts, each repeated on its own', async () => {
      let failures = 0
      server.fail((method) => (method === 'PUT' && failures++ % 2 === 0 ? { status: 503 } : undefined))
      const object = await store.put(teamId, identityOf(content), slices())
      server.fail(() => undefined)
      expect((await buffer(store.stream(object))).equals(content)).toBe(true)
      expect(server.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(10)
      expect(server.bucket.uploads.size).toBe(0)
    })

    it('leaves no parts of bytes that are wrong', async () => {
      await expect(store.put(teamId, identityOf(content), slices(40_000_000))).rejects.toMatchObject({
        reason: 'size_mismatch',
      })
      expect(server.bucket.uploads.size).toBe(0)
      expect(server.bucket.objects.size).toBe(0)
    })

    it('leaves parts to the next listing when the service fails, which removes old ones', async () => {
      server.fail((method, key) => (method !== 'POST' && key !== '' ? { status: 500 } : undefined))
      await expect(store.put(teamId, identityOf(content), slices())).rejects.toMatchObject({
        reason: 'store_unavailable',
      })
      server.fail(() => undefined)
      expect(server.bucket.uploads.size).toBe(1)
      for await (const _ of store.listOlderThan(Date.now() - 60_000));
      expect(server.bucket.uploads.size).toBe(1)
      for await (const _ of store.listOlderThan(Date.now() + 60_000));
      expect(server.bucket.uploads.size).toBe(0)
    })
  })

  describe('that fails', () => {
    it('for a moment is tried again', async () => {
      let failures = 0
      server.fail(() => (failures++ < 2 ? { status: 503 } : undefined))
      const object = await put('hello')
      expect((await store.read(object)).toString()).toBe('hello')
    })

    it.each([
      ['refuses', { status: 500 }],
      ['cuts the connection', { cut: 0 }],
    ])('for longer is unavailable: it %s', async (_, fault) => {
      const object = await put('hello')
      server.fail(() => fault)
      const unavailable = { reason: 'store_unavailable' }
      await expect(store.read(object)).rejects.toMatchObject(unavailable)
      await expect(buffer(store.stream(object))).rejects.toMatchObject(unavailable)
    })

    it.each([
      ['an unknown key', { credentials: { accessKeyId: 'other', secretAccessKey: 'x' } }],
      ['a wrong secret', { credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'x' } }],
      ['an unknown bucket', { bucket: 'other' }],
      ['a port where nobody listens', { endpoint: new URL('http://127.0.0.1:9') }],
    ])('is unavailable with %s, whatever is done', async (_, change) => {
      const unavailable = { reason: 'store_unavailable' }
      await open(change, async (other) => {
        await expect(other.put(teamId, identityOf('x'), chunks('x'))).rejects.toMatchObject(unavailable)
        await expect(other.read(`${teamId}/x`)).rejects.toMatchObject(unavailable)
        await expect(other.findMissing([{ object: `${teamId}/x`, size: 1 }])).rejects.toMatchObject(
          unavailable,
        )
        await expect(other.remove(`${teamId}/x`)).rejects.toMatchObject(unavailable)
        await expect(other.readOwner()).rejects.toMatchObject(unavailable)
        await expect(other.isEmpty()).rejects.toMatchObject(unavailable)
        await expect(other.check()).rejects.toMatchObject(unavailable)
      })
    })

    it('in the middle of an object ends the stream with an error', async () => {
      const object = await put(randomBytes(300_000))
      server.fail(() => ({ cut: 100_000 }))
      await expect(buffer(store.stream(object))).rejects.toMatchObject({ reason: 'store_unavailable' })
    })
  })

  it.each([5, 400_000])('that checks no digests stores nothing of %d wrong bytes', async (size) => {
    server.manners.trustsBodies = true
    const content = randomBytes(size)
    const wrong = store.put(
      teamId,
      { ...identityOf('other'), size },
      chunks(content.subarray(0, 3), content.subarray(3)),
    )
    await expect(wrong).rejects.toMatchObject({ reason: 'digest_mismatch' })
    // The service may still be reading what was sent.
    await store.check()
    expect([...server.bucket.objects.keys()]).toEqual([])
  })

  const hourMs = 60 * 60_000

  it.each([
    ['hours ahead', 8 * hourMs, 0],
    ['hours behind', -8 * hourMs, 0],
    ['another than that of its proxy', 0, 8 * 60_000],
  ])('whose clock is %s works, and the age of its objects is its own', async (_, aheadMs, datesAheadMs) => {
    server.setAhead(aheadMs)
    server.manners.datesAheadMs = datesAheadMs
    const object = await put('hello')
    expect((await store.read(object)).toString()).toBe('hello')
    const listed = async () => {
      const all: string[] = []
      for await (const batch of store.listOlderThan(Date.now() - hourMs)) all.push(...batch)
      return all
    }
    server.setAhead(aheadMs + hourMs - 5_000)
    expect(await listed()).toEqual([])
    server.setAhead(aheadMs + hourMs + 5_000)
    expect(await listed()).toEqual([object])
    expect([...server.bucket.objects.keys()]).toEqual([`teams/${object}`])
  })

  it.each([10, 400_000, 2_000_000])('never yields a damaged object of %d bytes whole', async (size) => {
    const object = await put(randomBytes(size))
    server.fail(() => ({ damage: true }))
    let received = 0
    const read = async () => {
      for await (const chunk of store.stream(object)) received += Buffer.from(chunk).length
    }
    await expect(read()).rejects.toMatchObject({ reason: 'store_unavailable' })
    expect(received).toBeLessThan(size)
    await expect(store.read(object)).rejects.toMatchObject({ reason: 'store_unavailable' })
  })

  it('gets one request about objects that were seen a moment ago', async () => {
    const objects = [await put('one'), await put('two')]
    const recorded = objects.map((object) => ({ object, size: 3 }))
    const fresh = createS3BlobStore(client)
    server.requests.length = 0
    expect(await fresh.findMissing(recorded)).toEqual([])
    expect(await fresh.findMissing(recorded)).toEqual([])
    expect(server.requests).toHaveLength(2)
    await fresh.remove(objects[0] ?? '')
    expect(await fresh.findMissing(recorded)).toEqual(objects.slice(0, 1))
  })
})
