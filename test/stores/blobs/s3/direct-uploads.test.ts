/**
 * Uploads from clients straight to the bucket: what a service stores of them, and to which they are offered.
 */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { newObjectName } from '../../../../src/stores/blobs/object-identity.ts'
import { createS3Client, type S3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { type S3Server, startS3 } from '../../../support/s3/server.ts'
import { identityOf } from '../conformance.ts'

let server: S3Server
let client: S3Client
let store: BlobStore
const teamId = newId('team', Date.now())
const content = randomBytes(10_000)

beforeEach(async () => {
  server = await startS3()
  client = createS3Client({ ...server.address, prefix: 'a b/ü+/' })
  store = createS3BlobStore(client)
})

afterEach(async () => {
  await client.close()
  await server.close()
})

async function sign(validS = 60) {
  const object = newObjectName(teamId, identityOf(content).sha256)
  const upload = (await store.directUploads())?.(object, identityOf(content), validS)
  if (!upload) return expect.unreachable('direct uploads are offered')
  const put = async (body: Buffer, headers: Record<string, string> = upload.headers) =>
    (await fetch(upload.url, { method: 'PUT', body, headers })).status
  return { object, upload, put }
}

const probes = () => [...server.bucket.objects.keys()].filter((key) => key.includes('probes/'))

describe.each([
  ['AWS', false],
  ['Ceph', true],
])('a presigned upload to a service like %s', (_, isCeph) => {
  beforeEach(() => {
    server.manners.isCeph = isCeph
  })

  it('stores the signed bytes, also when sent again', async () => {
    const { object, put } = await sign()
    expect([await put(content), await put(content)]).toEqual([200, 200])
    expect((await buffer(store.stream(object))).equals(content)).toBe(true)
    expect(await store.sizeOf(object)).toBe(content.length)
  })

  it('stores nothing else', async () => {
    const { upload, put } = await sign()
    const other = randomBytes(content.length)
    const [name = ''] = Object.keys(upload.headers)
    const { sha256 } = identityOf(other)
    const digest = name.includes('checksum') ? Buffer.from(sha256, 'hex').toString('base64') : sha256
    const statuses = [
      await put(other),
      await put(other, { [name]: digest }),
      await put(content.subarray(1)),
      await put(Buffer.concat([content, other])),
      await put(content, {}),
      (await fetch(upload.url.replace(teamId, newId('team', Date.now())), { method: 'PUT', body: content }))
        .status,
    ]
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
    expect([...server.bucket.objects.keys()]).toEqual([])
  })

  it('has its length signed, too', async () => {
    const { put } = await sign()
    server.manners.trustsBodies = true
    expect([await put(content.subarray(1)), await put(content)]).toEqual([403, 200])
  })

  it('ends with its time', async () => {
    const { put } = await sign(60)
    server.setAhead(61_000)
    expect(await put(content)).toBe(403)
  })

  it('is signed by the service’s clock', async () => {
    server.setAhead(8 * 60 * 60_000)
    await store.check()
    expect(await (await sign()).put(content)).toBe(200)
  })

  it('is probed once, which leaves nothing', async () => {
    await sign()
    const count = server.requests.length
    expect(count).toBeGreaterThan(0)
    await sign()
    expect(server.requests).toHaveLength(count)
    expect(probes()).toEqual([])
  })
})

describe('direct uploads are not offered', () => {
  it.each([
    ['compares no digests', { trustsBodies: true }],
    ['copies objects for headers that aren’t signed', { isCeph: true, copiesDespiteBody: true }],
  ])('to a service that %s', async (_, manners) => {
    Object.assign(server.manners, manners)
    expect(await store.directUploads()).toBeUndefined()
    expect(probes()).toEqual([])
  })

  it('for sizes that one request can’t have, and for nothing', async () => {
    const signUpload = await store.directUploads()
    const { sha256 } = identityOf(content)
    for (const size of [0, 5 * 1024 ** 3 + 1])
      expect(signUpload?.(newObjectName(teamId, sha256), { sha256, size }, 60)).toBeUndefined()
  })

  it('while the service fails; a minute later it is probed again', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      server.fail(() => ({ status: 500 }))
      expect(await store.directUploads()).toBeUndefined()
      server.fail(() => undefined)
      expect(await store.directUploads()).toBeUndefined()
      vi.advanceTimersByTime(60_000)
      expect(await store.directUploads()).toBeDefined()
    } finally {
      vi.useRealTimers()
    }
  })
})

it('temporary credentials are part of a presigned upload', async () => {
  const credentials = { ...server.address.credentials, sessionToken: 'a token' }
  const temporary = createS3Client({ ...server.address, credentials })
  const url = temporary.presignPut({ key: 'x', headers: {}, bodySha256: 'UNSIGNED-PAYLOAD', validS: 1 })
  expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('a token')
  await temporary.close()
})
