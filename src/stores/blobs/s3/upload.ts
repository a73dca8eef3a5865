/** Uploads of whole objects: small ones from memory, larger ones as they arrive, the largest in parts. */
import { createHash, getFips, type Hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type { BlobIdentity } from '../blob-store.ts'
import { storeUnavailable } from '../unavailable.ts'
import type { S3Client, S3Request } from './client.ts'
import { expectStored, findObject, invalidResponse, unquoted } from './objects.ts'
import { escapeXml, readXml } from './xml.ts'

/** Up to here the body is read into memory, so that the upload can be repeated. */
const maxSmallBytes = 256 * 1024

/** Above this size, parts are uploaded, each repeated on its own. */
const maxWholeBytes = 64 * 1024 * 1024

/** More than the 5 MiB that a service requires. */
const minPartBytes = 16 * 1024 * 1024
const maxParts = 10_000

/** Parts in memory at once, over all uploads. */
const partsAtOnce = 4

export type Upload = (key: string, expected: BlobIdentity, source: AsyncIterable<Uint8Array>) => Promise<void>

/**
 * Uploads `source`, which ends only if its bytes are the expected ones, under a key that has no object. It
 * exists completely or not at all.
 */
export function createUpload(client: S3Client): Upload {
  const limit = pLimit(partsAtOnce)

  async function put(
    key: string,
    { size, sha256 }: BlobIdentity,
    { body, md5 }: { body: NonNullable<S3Request['body']>; md5: Hash | undefined },
  ): Promise<void> {
    const etag = await expectStored(await client.request({ method: 'PUT', key, body }), 'storing an object')
    if (isOfOther(etag, md5)) await expectThere(key, { size, sha256 })
  }

  /** @throws AppError `store_unavailable` for an object that isn't there so. */
  async function expectThere(key: string, { size, sha256 }: BlobIdentity): Promise<void> {
    const found = await findObject(client, key, { 'x-amz-checksum-mode': 'ENABLED' })
    const isRight = found && isOf(sha256, found.checksum)
    if (isRight && found.size === size) return
    throw storeUnavailable(new Error('The service has not stored what it said it has.'))
  }

  async function uploadPart(key: string, query: Record<string, string>, body: Buffer): Promise<string> {
    return expectStored(await client.request({ method: 'PUT', key, query, body }), 'storing a part')
  }

  async function uploadParts(key: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    const created = await client.request({ method: 'POST', key, query: { uploads: '' } })
    const uploadId = readXml(await created.text())?.text('UploadId')
    if (uploadId === undefined) throw invalidResponse('beginning an upload')
    try {
      const partBytes = Math.max(minPartBytes, Math.ceil(size / maxParts))
      const tags: string[] = []
      const parts = inPieces(source, partBytes)
      for (let isMore = true; isMore; ) {
        // The memory of a part is taken only when it may be used.
        isMore = await limit(async () => {
          const { value: part, done } = await parts.next()
          if (done) return false
          tags.push(await uploadPart(key, { partNumber: String(tags.length + 1), uploadId }, part))
          return true
        })
      }
      await complete(key, uploadId, tags)
    } catch (error) {
      await abortUpload(client, key, uploadId).catch(() => {})
      throw error
    }
  }

  async function complete(key: string, uploadId: string, tags: string[]): Promise<void> {
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    )
    const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/'
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="${xmlns}">${parts.join('')}</CompleteMultipartUpload>`,
    )
    const response = await client.request({ method: 'POST', key, query: { uploadId }, body })
    // A failure may come after the head of the response.
    if (readXml(await response.text())?.text('ETag') === undefined)
      throw invalidResponse('completing an upload')
  }

  return async (key, { size, sha256 }, source) => {
    const expected = { size, sha256 }
    const md5 = newMd5()
    if (size <= maxSmallBytes) {
      const body = await buffer(source)
      return put(key, expected, { body, md5: md5?.update(body) })
    }
    if (size <= maxWholeBytes) {
      const body = { source: lastWhenEnded(hashed(source, md5)), ...expected }
      return put(key, expected, { body, md5 })
    }
    await uploadParts(key, size, source)
    await expectThere(key, expected)
  }
}

/** Whether a checksum, if there is one of the whole object, is this SHA-256. */
function isOf(sha256: string, checksum: string): boolean {
  return /^$|-/.test(checksum) || Buffer.from(checksum, 'base64').toString('hex') === sha256
}

/** None where a policy forbids it. */
function newMd5(): Hash | undefined {
  return getFips() === 1 ? undefined : createHash('md5')
}

async function* hashed(source: AsyncIterable<Uint8Array>, md5: Hash | undefined): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    md5?.update(chunk)
    yield chunk
  }
}

/**
 * Whether an ETag is an MD5, and another one than that of the body. That proves nothing, since some services
 * derive theirs from what they encrypt.
 */
function isOfOther(etag: string, md5: Hash | undefined): boolean {
  const tag = unquoted(etag).toLowerCase()
  return md5 !== undefined && /^[0-9a-f]{32}$/.test(tag) && tag !== md5.digest('hex')
}

/** Ends an upload in parts, and frees what it stored; a missing one is fine. */
async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await (await client.requestIfAny({ method: 'DELETE', key, query: { uploadId } }))?.text()
}

/** Aborts uploads in parts below `prefix` that began before `beforeMs`, by the service's clock. */
export async function abortOldUploads(client: S3Client, prefix: string, beforeMs: number): Promise<void> {
  let markers: Record<string, string> | undefined = {}
  while (markers) {
    const query = { uploads: '', prefix: client.prefix + prefix, ...markers }
    const page = readXml(await (await client.request({ method: 'GET', query })).text())
    if (page === undefined) throw invalidResponse('listing uploads')
    for (const upload of page.all('Upload')) {
      const key = (upload.text('Key') ?? '').slice(client.prefix.length)
      const isOld = Date.parse(upload.text('Initiated') ?? '') < beforeMs
      if (isOld) await abortUpload(client, key, upload.text('UploadId') ?? '')
    }
    const isMore = page.text('IsTruncated') === 'true'
    const next = {
      'key-marker': page.text('NextKeyMarker') ?? '',
      'upload-id-marker': page.text('NextUploadIdMarker') ?? '',
    }
    markers = isMore ? next : undefined
  }
}

/**
 * Keeps the last chunk back until `source` has ended well: a service stores nothing of a body that is too
 * short.
 */
async function* lastWhenEnded(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue
    if (held) yield held
    held = chunk
  }
  if (held) yield held
}

/** `source` in buffers of exactly `bytes`, the last one with what is left. */
async function* inPieces(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    for (let rest = chunk; rest.byteLength > 0; ) {
      const taken = rest.subarray(0, bytes - length)
      rest = rest.subarray(taken.byteLength)
      parts.push(taken)
      length += taken.byteLength
      if (length < bytes) continue
      yield Buffer.concat(parts)
      parts = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(parts)
}
