/** Objects of a remote store in files of this node: the least recently used are evicted. */
import { createHash, type Hash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { DiskReserve } from '../../data-dir/disk-reserve.ts'
import type { BlobStore } from '../blob-store.ts'
import { isObject, verifyObject } from '../object-identity.ts'
import type { Part } from '../part.ts'
import { readObjectFile } from '../read-object-file.ts'
import { createVerifiedFiles } from '../verified-files.ts'
import { type CacheIndex, foldersOf } from './cache-index.ts'
import { type Filling, NotCached, startFilling } from './filling.ts'

export type DiskCache = {
  /** A part of the object, or all of it; concurrent readers share one request to the store. */
  read(object: string, part?: Part): AsyncGenerator<Buffer>
  /**
   * All of the object's bytes, in one piece: what a stream needs would cost several times as much for a small
   * one.
   */
  readWhole(object: string): Promise<Buffer>
  /** Deletes the object's file. */
  forget(object: string): void
  /** Stops the requests under way. */
  close(): Promise<void>
}

/** The share of the cache that one object may take. */
const maxShare = 1 / 4

const maxTooLarge = 10_000

/** Nothing is stored while less than the reserve of `disk` is free. */
type Options = { maxBytes: number; index: CacheIndex; disk: DiskReserve }

/**
 * A cache in the directory of `index`. The processes of a node share it, and so its size and what each of
 * them has fetched: one of them keeps the index and evicts, and each reads, fetches and verifies by itself. A
 * cache for each would have a part of the size, and request an object as often as there are processes.
 */
export function createDiskCache(
  directory: string,
  store: Pick<BlobStore, 'stream' | 'sizeOf'>,
  { maxBytes, index, disk }: Options,
): DiskCache {
  const { incoming, objects } = foldersOf(directory)
  const stopping = new AbortController()
  const pathOf = (object: string) => join(objects, object)
  const fillings = new Map<string, Filling>()
  const checks = new Map<string, Promise<void>>()
  const verified = createVerifiedFiles()
  const tooLarge = new LRUCache<string, true>({ max: maxTooLarge })

  /** The object's file, if it is there, right or not. */
  async function openAny(object: string): Promise<FileHandle | undefined> {
    return (await index.has(object)) ? open(pathOf(object)).catch(() => undefined) : undefined
  }

  /** The object's file, if it is there and right. */
  async function openCached(object: string): Promise<FileHandle | undefined> {
    const file = await openAny(object)
    if (file && (await isRight(object, file))) return file
    await file?.close()
    index.drop(object)
    return undefined
  }

  async function isRight(object: string, file: FileHandle): Promise<boolean> {
    const isVerified = async () => verified.has(object, await file.stat({ bigint: true }))
    if (await isVerified()) return true
    await verify(object).catch(() => {})
    return isVerified()
  }

  /** Readers who come together share it. */
  function verify(object: string): Promise<void> {
    const running = checks.get(object) ?? verifyFile(object).finally(() => checks.delete(object))
    checks.set(object, running)
    return running
  }

  async function verifyFile(object: string): Promise<void> {
    const file = await open(pathOf(object))
    try {
      let size = 0
      for await (const chunk of readObjectFile(file, object, undefined, verified)) size += chunk.length
      index.put(object, size)
    } finally {
      await file.close()
    }
  }

  function fill(object: string): Filling {
    const running = fillings.get(object)
    if (running) return running
    const path = join(incoming, randomBytes(16).toString('hex'))
    const filling = startFilling(path, store.stream(object), {
      maxBytes: maxBytes * maxShare,
      disk,
      signal: stopping.signal,
    })
    fillings.set(object, filling)
    keep(object, path, filling).finally(filling.release)
    return filling
  }

  /** Moves a complete file to its place. Never rejects. */
  async function keep(object: string, path: string, filling: Filling): Promise<void> {
    try {
      const size = await filling.ended
      await mkdir(dirname(pathOf(object)), { recursive: true, mode: 0o700 })
      await rename(path, pathOf(object))
      verified.add(object, await stat(pathOf(object), { bigint: true }))
      index.put(object, size)
      fillings.delete(object)
    } catch (error) {
      // First of all, so that the next reader starts anew.
      fillings.delete(object)
      if (error instanceof NotCached && error.cause === undefined) tooLarge.set(object, true)
      await rm(path, { force: true }).catch(() => {})
    }
  }

  async function* read(object: string, part?: Part): AsyncGenerator<Buffer> {
    let at = part?.start ?? 0
    // Of the bytes that a reader of the whole object had before the cache gave up.
    const hash = at === 0 ? createHash('sha256') : undefined
    try {
      if (tooLarge.has(object) || (part && part.size > maxBytes * maxShare)) throw new NotCached()
      const running = fillings.get(object)
      const cached = running ? undefined : await openCached(object)
      if (cached) {
        yield* readCached(object, cached, part)
        return
      }
      if (!running && (await disk.isFull())) throw new NotCached()
      const arriving = running ? joinOrFill(object, running, part) : fill(object).read(object, part)
      for await (const chunk of arriving) {
        at += chunk.length
        hash?.update(chunk)
        yield chunk
      }
    } catch (error) {
      if (!(error instanceof NotCached)) throw error
      yield* passOn(object, { part, at }, hash)
    }
  }

  async function* readCached(object: string, file: FileHandle, part?: Part): AsyncGenerator<Buffer> {
    try {
      yield* readObjectFile(file, object, part, verified)
    } finally {
      await file.close()
    }
  }

  /** From the store, which verifies the whole object; `hash` has had what came of it before `at`. */
  async function* passOn(
    object: string,
    { part, at }: { part: Part | undefined; at: number },
    hash: Hash | undefined,
  ): AsyncGenerator<Buffer> {
    if (at === (part?.start ?? 0)) {
      yield* store.stream(object, part)
      return
    }
    const size = part?.size ?? (await store.sizeOf(object)) ?? 0
    const rest = { start: at, end: part?.end ?? size - 1, size }
    const isEnd = rest.end >= size - 1
    const source = store.stream(object, rest)
    yield* hash && isEnd ? verifyObject(object, source, { digest: hash, bytes: size - at }) : source
  }

  /** A filling that began while the store did not respond may fail long after the store is back. */
  async function* joinOrFill(object: string, running: Filling, part?: Part): AsyncGenerator<Buffer> {
    let hasBegun = false
    try {
      for await (const chunk of running.read(object, part)) {
        hasBegun = true
        yield chunk
      }
    } catch (error) {
      if (hasBegun || error instanceof NotCached) throw error
      yield* fill(object).read(object, part)
    }
  }

  async function readWhole(object: string): Promise<Buffer> {
    const file = fillings.has(object) ? undefined : await openAny(object)
    const bytes = await file?.readFile().finally(() => file.close())
    if (bytes && isObject(object, bytes)) return bytes
    if (bytes) index.drop(object)
    return buffer(read(object))
  }

  return {
    read,
    readWhole,
    forget: index.drop,
    async close() {
      stopping.abort()
      await Promise.allSettled([...fillings.values()].map(({ ended }) => ended))
    },
  }
}
