/**
 * What each operation of a store comes to when its S3 service misbehaves: an end within bounds, and never
 * wrong bytes.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import { newId } from '../../../../src/lib/ids.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { createS3Client, type S3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { type S3Server, startS3 } from '../../../support/s3/server.ts'
import { chunks, identityOf } from '../conformance.ts'

let server: S3Server
let store: BlobStore
let objects: string[]
const clients: S3Client[] = []
const teamId = newId('team', Date.now())

/** What a store takes at most, beside silences of the service. */
const boundMs = 10_000

const small = randomBytes(20_000)
const large = randomBytes(4 * 1024 * 1024)

beforeEach(async () => {
  server = await startS3()
  store = open()
  objects = await Promise.all(operations.map(() => put(small)))
  // Nothing of them is remembered.
  store = open()
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await server.close()
})

/** A store that puts up with so much silence, by default as much as any does. */
function open(silenceMs?: number): BlobStore {
  const client = createS3Client(server.address, silenceMs)
  clients.push(client)
  return createS3BlobStore(client)
}

const put = (content: Buffer) => store.put(teamId, identityOf(content), chunks(content))

const putLarge = () => {
  const pieces = Array.from({ length: 64 }, (_, at) => large.subarray(at << 16, (at + 1) << 16))
  return store.put(teamId, identityOf(large), Readable.from(pieces))
}

async function list(): Promise<string[]> {
  const listed: string[] = []
  for await (const batch of store.list()) listed.push(...batch)
  return listed
}

type Operation = [
  name: string,
  run: (object: string) => Promise<unknown>,
  isRight?: (result: unknown) => boolean,
]

/** Each with an object of its own. */
const operations: Operation[] = [
  ['put', () => put(small)],
  ['put large', putLarge],
  ['get', (object) => store.read(object), (read) => small.equals(read as Buffer)],
  ['stream', (object) => buffer(store.stream(object)), (read) => small.equals(read as Buffer)],
  [
    'range',
    (object) => buffer(store.stream(object, { start: 10, end: 9_999, size: small.length })),
    (read) => small.subarray(10, 10_000).equals(read as Buffer),
  ],
  ['list', list, (listed) => (listed as string[]).length >= operations.length - 2],
  ['size', (object) => store.sizeOf(object), (size) => size === small.length],
  [
    'find',
    (object) => store.findMissing([{ object, size: small.length }]),
    (missing) => (missing as string[]).length === 0,
  ],
  ['delete', (object) => store.remove(object)],
  ['discard', (object) => store.discard(object, '2026-01-31')],
]

/** Runs all of them at once; the names of those that end as unavailable. */
async function failing(): Promise<string[]> {
  const ends = await Promise.all(
    operations.map(async ([name, run, isRight = () => true], at) => {
      const startedMs = performance.now()
      try {
        const result = await run(objects[at] ?? '')
        if (!isRight(result)) throw new Error(`${name} had a wrong result.`)
        return []
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== 'store_unavailable') throw error
        return [name]
      } finally {
        expect(performance.now() - startedMs, name).toBeLessThan(boundMs)
      }
    }),
  )
  return ends.flat()
}

const all = operations.map(([name]) => name)
/** Which learn from the body of the response. */
const readers = ['get', 'stream', 'range', 'list', 'discard']

it.each([
  ['hangs, and reads no body', 500, { hang: true as const }, all],
  ['does everything, and never says so', 500, { silent: true as const }, all],
  ['sends byte by byte', 2_000, { dripMs: 100 }, readers],
])('a service that %s', async (_, silenceMs, fault, expected) => {
  const patient = store
  store = open(silenceMs)
  server.fail(() => fault)
  expect(await failing()).toEqual(expected)
  store = patient
  server.fail(() => undefined)
  expect(await failing()).toEqual([])
})

it.each([
  ['answers 500', { status: 500 }, all],
  ['closes connections', { drop: true as const }, all],
  ['is slow', { delayMs: 100 }, []],
  ['closes connections in the middle of bodies', { cut: 10 }, readers],
  ['sends the beginnings of bodies', { truncate: 10 }, readers],
  ['is a portal that welcomes everybody', { page: 200 }, all.filter((name) => name !== 'delete')],
  ['is a portal that knows nothing', { page: 404 }, all],
  ['finds every time wrong', { skew: true as const }, all],
])('a service that %s', async (_, fault, expected) => {
  server.fail(() => fault)
  expect(await failing()).toEqual(expected)
  server.fail(() => undefined)
  expect(await failing()).toEqual([])
})

it('a service that sends other bytes, as far as a digest covers them', async () => {
  const ranged = objects[all.indexOf('range')] ?? ''
  server.fail((_, key) => (key.includes(ranged) ? undefined : { damage: true }))
  expect(await failing()).toEqual(readers.filter((name) => name !== 'range'))
})

it('stores nothing without an ETag, whole or in parts', async () => {
  server.manners.hasNoTags = true
  const huge = Buffer.alloc(65 * 1024 * 1024, 7)
  for (const content of [small, large, huge])
    await expect(put(content)).rejects.toMatchObject({ reason: 'store_unavailable' })
  expect(server.bucket.uploads.size).toBe(0)
})

it.each(['""', ' ', '" "', 'W/""'])('stores nothing with the ETag %j, which no content has', async (tag) => {
  server.manners.tagsAs = tag
  for (const content of [small, large])
    await expect(put(content)).rejects.toMatchObject({ reason: 'store_unavailable' })
})

const otherMd5 = '"0123456789abcdef0123456789abcdef"'
const huge = Buffer.alloc(65 * 1024 * 1024, 7)

it.each([
  ['and keeps nothing', () => undefined],
  ['and keeps less', (bytes: Buffer) => bytes.subarray(1)],
  ['and keeps other bytes, of which it knows the checksum', (bytes: Buffer) => bytes.map((byte) => byte ^ 1)],
])('a service that answers with the MD5 of other bytes %s', async (_, keeps) => {
  const keep = (bytes: Buffer) => {
    const kept = keeps(bytes)
    return kept && Buffer.from(kept)
  }
  Object.assign(server.manners, { tagsAs: otherMd5, keeps: keep, hasChecksums: true })
  for (const content of [small, large])
    await expect(put(content)).rejects.toMatchObject({ reason: 'store_unavailable' })
})

it('an upload in parts is looked at once it is complete', async () => {
  server.fail((method, key) => {
    // When it is completed, before it is looked at.
    if (method === 'HEAD') server.bucket.objects.delete(key)
    return undefined
  })
  await expect(put(huge)).rejects.toMatchObject({ reason: 'store_unavailable' })
  server.fail(() => undefined)
  expect(await store.sizeOf(await put(huge))).toBe(huge.length)
})

it.each([otherMd5, otherMd5.toUpperCase(), '"an opaque tag"'])(
  'a service with tags of its own, such as %s, stores, and is looked at where they could be MD5s',
  async (tag) => {
    Object.assign(server.manners, { tagsAs: tag, hasChecksums: true })
    for (const content of [small, large]) {
      const before = server.requests.length
      const object = await put(content)
      const sent = server.requests.slice(before).map((request) => request.split(' ')[0])
      expect(sent).toEqual(tag.includes('opaque') ? ['PUT'] : ['PUT', 'HEAD'])
      expect(content.equals(await store.read(object))).toBe(true)
    }
  },
)

it('a right MD5 takes no further request, whatever the case of its letters', async () => {
  const md5 = createHash('md5').update(small).digest('hex')
  server.manners.tagsAs = `"${md5.toUpperCase()}"`
  const before = server.requests.length
  await put(small)
  expect(server.requests.slice(before)).toHaveLength(1)
})

it('neither copies nor completes what fails after the head of the response', async () => {
  const edit = (text: string) =>
    text.replace(/<(Copy|CompleteMultipartUpload).*/, '<Error><Code>InternalError</Code></Error>')
  server.fail(() => ({ edit }))
  const object = objects[0] ?? ''
  await expect(store.discard(object, '2026-01-31')).rejects.toMatchObject({ reason: 'store_unavailable' })
  expect(await store.sizeOf(object)).toBe(small.length)
  const huge = Buffer.alloc(65 * 1024 * 1024, 7)
  await expect(put(huge)).rejects.toMatchObject({ reason: 'store_unavailable' })
})

it.each([
  ['names no next page', (text: string) => text.replace('<IsTruncated>false', '<IsTruncated>true')],
  ['doesn’t say whether there is one', (text: string) => text.replace(/<IsTruncated>.*<.IsTruncated>/, '')],
  [
    'names the same page again and again',
    (text: string) =>
      text
        .replace('<IsTruncated>false', '<IsTruncated>true')
        .replace(
          '</ListBucketResult>',
          '<NextContinuationToken>x</NextContinuationToken></ListBucketResult>',
        ),
  ],
  ['is another document', () => '<html><body>Welcome</body></html>'],
])('a list that %s is none', async (_, edit) => {
  server.fail((method, key) => (method === 'GET' && key === '' ? { edit } : undefined))
  await expect(list()).rejects.toMatchObject({ reason: 'store_unavailable' })
})

it('a bucket is not empty for a list that is another document', async () => {
  server.fail(() => ({ edit: () => '<html><body>Welcome</body></html>' }))
  await expect(store.isEmpty()).rejects.toMatchObject({ reason: 'store_unavailable' })
})

it('a range that is the whole object is none', async () => {
  server.manners.ignoresRanges = true
  for (const end of [9_999, small.length - 1]) {
    const reading = buffer(store.stream(objects[0] ?? '', { start: 10, end, size: small.length }))
    await expect(reading).rejects.toMatchObject({ reason: 'store_unavailable' })
  }
})

it('a part of an upload over a slow connection may take longer than a silence', {
  tags: 'long',
}, async () => {
  const client = createS3Client(server.address, 700)
  clients.push(client)
  const part = Buffer.concat([large, large, large, large])
  server.fail(() => ({ readMs: 200 }))
  await client.request({ method: 'PUT', key: 'part', body: part })
  expect(server.bucket.objects.get('part')?.bytes.equals(part)).toBe(true)
})

it('a refusal for the time of a request says what time it is', async () => {
  server.fail(() => ({ skew: true }))
  const refused = await store.check().catch((error: AppError) => error)
  expect(refused).toMatchObject({
    cause: { message: expect.stringContaining('Correct the clock: it is 20') },
  })
})
