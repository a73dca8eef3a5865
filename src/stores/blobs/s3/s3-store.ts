/** Blobs as objects in an S3 bucket. */
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { inParallel } from '../../../lib/async/in-parallel.ts'
import type { BlobIdentity, BlobStore, RecordedObject } from '../blob-store.ts'
import { ObjectDamaged } from '../damaged.ts'
import type { Losses } from '../lost-objects.ts'
import { ObjectMissing } from '../missing.ts'
import { newObjectName, verifyObject } from '../object-identity.ts'
import { expectSize, isWhole, type Part } from '../part.ts'
import { readLazily } from '../read-lazily.ts'
import { verifyBytes } from '../verify-bytes.ts'
import type { S3Client, S3Response } from './client.ts'
import { createDirectUploads } from './direct-uploads.ts'
import {
  deleteObject,
  findObject,
  hasObjects,
  invalidResponse,
  type ListedObject,
  listObjects,
  newProbeKey,
  putObject,
} from './objects.ts'
import { findSizes } from './sizes.ts'
import { createS3Trash } from './trash.ts'
import { abortOldUploads, createUpload } from './upload.ts'

const teams = 'teams/'
const ownerKey = 'installation'

/** Lookups at once of whether objects exist. */
const looksAtOnce = 32

/**
 * How long an object that was seen is believed to exist: looking costs a request for each file of a
 * deployment.
 */
const seenMs = 10 * 60_000
const maxSeen = 100_000

/** The losses of a store that no other node writes to or reads from. */
const noLosses: Losses = { report: async () => {}, count: async () => 0 }

/** Services charge for writing, and readiness may be checked every second. */
const probeEveryMs = 60_000

/**
 * The store in the client's bucket, shared by all nodes. Whole objects are verified by the digest in their
 * names; a damaged one fails as `store_unavailable`. `losses` get each read of an object that doesn't exist,
 * or is damaged, before that fails: so whoever deploys again after the failure is believed by no node.
 */
export function createS3BlobStore(client: S3Client, losses: Losses = noLosses): BlobStore {
  const upload = createUpload(client)
  const trash = createS3Trash(client, teams)
  let probedMs = Number.NEGATIVE_INFINITY
  /** Lengths of objects. */
  const seen = new LRUCache<string, number>({ max: maxSeen, ttl: seenMs })
  /** How many losses had been announced when these were seen. */
  let lossesKnown = 0

  async function get(object: string, headers: Record<string, string>): Promise<S3Response> {
    const request = { method: 'GET', key: teams + object, headers } as const
    const response = await client.requestIfAny(request)
    if (response) return response
    seen.delete(object)
    await trash.takeBack(object)
    const restored = await client.requestIfAny(request)
    if (restored) return restored
    await losses.report(object)
    throw new ObjectMissing(object, 'the bucket')
  }

  async function* bytesOf(object: string, part?: Part): AsyncGenerator<Buffer> {
    try {
      if (part) yield* partOf(object, await get(object, rangeHeader(part)), part)
      else yield* verifyObject(object, (await get(object, {})).bytes())
    } catch (error) {
      if (error instanceof ObjectDamaged) await losses.report(object)
      throw error
    }
  }

  async function* rawBytesOf(object: string): AsyncGenerator<Buffer> {
    yield* (await get(object, {})).bytes()
  }

  async function write(
    object: string,
    expected: BlobIdentity,
    source: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    await upload(teams + object, expected, verifyBytes(expected, source))
    seen.set(object, expected.size)
  }

  async function isThere({ object, size }: RecordedObject): Promise<boolean> {
    if (seen.get(object) === size || (await sizeOf(object)) === size) return true
    return (await trash.takeBack(object)) && (await sizeOf(object)) === size
  }

  async function sizeOf(object: string): Promise<number | undefined> {
    const found = await findObject(client, teams + object)
    if (found) seen.set(object, found.size)
    return found?.size
  }

  /** A notification of a loss may be on its way to this node. */
  async function believeWhatIsNewer(): Promise<void> {
    const count = await losses.count()
    if (count !== lossesKnown) seen.clear()
    lossesKnown = count
  }

  async function findMissing(objects: RecordedObject[]): Promise<string[]> {
    if (objects.some(({ object }) => seen.has(object))) await believeWhatIsNewer()
    const found = await inParallel(objects, looksAtOnce, isThere)
    return objects.filter((_, index) => !found[index]).map(({ object }) => object)
  }

  async function* listOlderThan(beforeMs: number): AsyncGenerator<string[]> {
    const cutoffMs = beforeMs + (await measureAhead())
    await abortOldUploads(client, teams, cutoffMs)
    for await (const listed of listObjects(client, teams)) {
      yield listed.filter(({ modifiedMs }) => modifiedMs < cutoffMs).map(nameOf)
    }
  }

  /**
   * How far the clock that dates the objects is ahead of this one's, in milliseconds, by an object written
   * now. The date of a response may be a proxy's.
   */
  async function measureAhead(): Promise<number> {
    const key = newProbeKey()
    const nowMs = Date.now()
    await putObject(client, key, Buffer.from('probe'))
    const found = await findObject(client, key)
    await deleteObject(client, key)
    if (found === undefined || Number.isNaN(found.modifiedMs)) throw invalidResponse('dating an object')
    return found.modifiedMs - nowMs
  }

  return {
    isShared: true,

    write,

    async put(teamId, expected, source) {
      const object = newObjectName(teamId, expected.sha256)
      await write(object, expected, source)
      return object
    },

    recorded: () => {},

    sizeOf,

    sizesOf: (objects) => findSizes(client, teams, objects),

    async *list() {
      for await (const listed of listObjects(client, teams)) yield listed.map(nameOf)
    },

    read: (object) => buffer(bytesOf(object)),
    stream: (object, part) => readLazily(bytesOf(object, part)),
    streamRaw: (object) => readLazily(rawBytesOf(object)),

    async remove(object) {
      seen.delete(object)
      await deleteObject(client, teams + object)
    },

    listOlderThan,
    findMissing,
    forget: (object) => void (object === undefined ? seen.clear() : seen.delete(object)),
    isEmpty: async () => !(await hasObjects(client, teams)),

    async readOwner() {
      const response = await client.requestIfAny({ method: 'GET', key: ownerKey })
      return (await response?.text())?.trim() || undefined
    },

    async setOwner(installation) {
      await putObject(client, ownerKey, Buffer.from(`${installation}\n`))
    },

    directoryId: async () => undefined,

    ...trash,

    async discard(object, day) {
      seen.delete(object)
      await trash.discard(object, day)
    },

    async check() {
      if (performance.now() - probedMs < probeEveryMs) {
        await findObject(client, ownerKey)
        return
      }
      const key = newProbeKey()
      await putObject(client, key, Buffer.from('probe'))
      await deleteObject(client, key)
      probedMs = performance.now()
    },

    directUploads: createDirectUploads(client, teams),
  }
}

function nameOf({ key }: ListedObject): string {
  return key.slice(teams.length)
}

/**
 * The bytes of a response to the range of `part`, verified where that is all of the object.
 * @throws AppError `store_unavailable` for other ones, and those of an object of another length.
 */
async function* partOf(object: string, response: S3Response, part: Part): AsyncGenerator<Buffer> {
  const { start, end, size } = part
  try {
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.header('content-range')) ?? []
    if (Number(first) !== start) throw invalidResponse('reading a range')
    expectSize(object, size, Number(total))
  } catch (error) {
    await abandon(response)
    throw error
  }
  const bytes = exactly(response, Math.min(end + 1, size) - start)
  yield* isWhole(part) ? verifyObject(object, bytes, { bytes: size }) : bytes
}

/** Stops the body of a response; an unread one would keep its connection. */
async function abandon(response: S3Response): Promise<void> {
  for await (const _ of response.bytes()) return
}

async function* exactly(response: S3Response, wanted: number): AsyncGenerator<Buffer> {
  let received = 0
  for await (const chunk of response.bytes()) {
    received += chunk.length
    if (received > wanted) break
    yield chunk
  }
  if (received !== wanted) throw invalidResponse('reading a range')
}

function rangeHeader({ start, end }: Part): Record<string, string> {
  return { range: `bytes=${start}-${end}` }
}
