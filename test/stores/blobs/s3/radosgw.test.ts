import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { newObjectName } from '../../../../src/stores/blobs/object-identity.ts'
import { createS3Client, type S3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { hasRadosgw, startRadosgw } from '../../../support/s3/radosgw.ts'
import { chunks, describeBlobStore, identityOf } from '../conformance.ts'

describe.runIf(hasRadosgw)('on the S3 service of Ceph', { tags: 'long' }, () => {
  let service: Awaited<ReturnType<typeof startRadosgw>>
  const clients: S3Client[] = []
  const teamId = newId('team', Date.now())

  function open(prefix: string) {
    const client = createS3Client({ ...service.address, prefix })
    clients.push(client)
    return createS3BlobStore(client)
  }

  beforeAll(async () => {
    service = await startRadosgw()
  }, 120_000)

  afterAll(async () => {
    for (const client of clients) await client.close()
    await service.close()
  })

  describeBlobStore('a store', async () => ({
    store: open('a b/ü+/'),
    unfinished: async () => 0,
    close: async () => {},
  }))

  it('a large object is uploaded in parts', async () => {
    const store = open('parts/')
    const content = Buffer.concat(Array.from({ length: 65 }, () => randomBytes(1024 * 1024)))
    const object = await store.put(teamId, identityOf(content), chunks(content))
    expect((await buffer(store.stream(object))).equals(content)).toBe(true)
    expect(await store.sizeOf(object)).toBe(content.length)
    const tooLong = { ...identityOf(content), size: content.length + 1 }
    await expect(store.put(teamId, tooLong, chunks(content))).rejects.toMatchObject({
      reason: 'size_mismatch',
    })
    for await (const listed of store.listOlderThan(Date.now() + 60_000)) expect(listed).toEqual([object])
  })

  it('clients upload straight to it, and nothing but the signed bytes', async () => {
    const store = open('direct/')
    const content = randomBytes(100_000)
    const object = newObjectName(teamId, identityOf(content).sha256)
    const direct = (await store.directUploads())?.(object, identityOf(content), 60)
    if (!direct) return expect.unreachable('direct uploads are offered')
    expect(Object.keys(direct.headers)).toEqual(['x-amz-content-sha256'])
    const put = async (body: Buffer) =>
      (await fetch(direct.url, { method: 'PUT', body, headers: direct.headers })).status
    expect(await put(randomBytes(100_000))).toBe(400)
    expect(await store.sizeOf(object)).toBeUndefined()
    expect(await put(content)).toBe(200)
    expect((await store.read(object)).equals(content)).toBe(true)
  })

  it('more objects than a page has are listed', async () => {
    const store = open('pages/')
    const contents = Array.from({ length: 1_100 }, (_, at) => `${at}`)
    const objects = await Promise.all(
      contents.map((content) => store.put(teamId, identityOf(content), chunks(content))),
    )
    const listed: string[] = []
    for await (const batch of store.list()) listed.push(...batch)
    expect(listed.toSorted()).toEqual(objects.toSorted())
  }, 60_000)

  it.each([
    ['a wrong secret', { credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'wrong' } }],
    ['an unknown key', { credentials: { accessKeyId: 'other', secretAccessKey: 'wrong' } }],
    ['an unknown bucket', { bucket: 'other' }],
  ])('%s is refused', async (_, change) => {
    const client = createS3Client({ ...service.address, ...change })
    clients.push(client)
    const store = createS3BlobStore(client)
    await expect(store.read(`${teamId}/x`)).rejects.toMatchObject({ reason: 'store_unavailable' })
    await expect(store.findMissing([{ object: `${teamId}/x`, size: 1 }])).rejects.toMatchObject({
      reason: 'store_unavailable',
    })
  })
})
