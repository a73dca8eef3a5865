/** Objects of a remote store in files of this node: the least recently used are evicted. */

import { createHash, type Hash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../blob-store.ts'
import { verifyObject } from '../object-identity.ts'
import { streamFile } from '../stream-file.ts'
import { type CacheIndex, foldersOf } from './cache-index.ts'
import { type Filling, NotCached, startFilling } from './filling.ts'

/** Bytes `start` to `end`, inclusive. */
type Range = { start: number; end: number }

export type DiskCache = {
  /** The object's bytes; concurrent readers share one request to the store. */
  read(object: string, range: Range): AsyncGenerator<Buffer>
  /** All of the object's bytes, in one piece: what a stream needs would cost several times as much for a small one. */
  readWhole(object: string): Promise<Buffer>
  /** Deletes the object's file. */
  forget(object: string): void
  /** Stops the requests under way. */
  close(): Promise<void>
}

/** The share of the cache that one object may take. */
const maxShare = 1 / 4

const maxTooLarge = 10_000

type Options = { maxBytes: number; index: CacheIndex }

/**
 * A cache in the directory of `index`. The processes of a node share it, and so its size and what each of them has fetched: one
 * of them keeps the index and evicts, and each reads, fetches and verifies by itself. A cache for each would have a part of the
 * size, and request an object as often as there are processes.
 */
export function createDiskCache(
  directory: string,
  store: Pick<BlobStore, 'stream' | 'sizeOf'>,
  { maxBytes, index }: Options,
): DiskCache {
  const { incoming, objects } = foldersOf(directory)
  const stopping = new AbortController()
  const pathOf = (object: string) => join(objects, object)
  const fillings = new Map<string, Filling>()
  const checks = new Map<string, Promise<boolean>>()
  const tooLarge = new LRUCache<string, true>({ max: maxTooLarge })

  /** The object's file, if it is there and right. */
  async function openCached(object: string): Promise<FileHandle | undefined> {
    const state = await index.find(object)
    if (state === 'absent') return undefined
    const file = await open(pathOf(object)).catch(() => undefined)
    if (file && (state === 'verified' || (await verify(object)))) return file
    await file?.close()
    index.drop(object)
    return undefined
  }

  function verify(object: string): Promise<boolean> {
    const running = checks.get(object) ?? isRight(object).finally(() => checks.delete(object))
    checks.set(object, running)
    return running
  }

  async function isRight(object: string): Promise<boolean> {
    try {
      let size = 0
      for await (const chunk of verifyObject(object, streamFile(pathOf(object)))) size += chunk.length
      index.put(object, size)
      return true
    } catch {
      return false
    }
  }

  function fill(object: string): Filling {
    const running = fillings.get(object)
    if (running) return running
    const path = join(incoming, randomBytes(16).toString('hex'))
    const filling = startFilling(path, store.stream(object), {
      maxBytes: maxBytes * maxShare,
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
      index.put(object, size)
      fillings.delete(object)
    } catch (error) {
      // First of all, so that the next reader starts anew.
      fillings.delete(object)
      if (error instanceof NotCached && error.cause === undefined) tooLarge.set(object, true)
      await rm(path, { force: true }).catch(() => {})
    }
  }

  async function* read(object: string, { start, end }: Range): AsyncGenerator<Buffer> {
    let at = start
    // What a reader has had of the whole object before the cache gave up.
    const hash = start === 0 ? createHash('sha256') : undefined
    try {
      if (tooLarge.has(object) || isTooLarge(end)) throw new NotCached()
      const running = fillings.get(object)
      const cached = running ? undefined : await openCached(object)
      if (cached) {
        yield* streamFile(pathOf(object), { start, end }, async () => cached)
        return
      }
      const arriving = running ? joinOrFill(object, running, { start, end }) : fill(object).read(start, end)
      for await (const chunk of arriving) {
        at += chunk.length
        hash?.update(chunk)
        yield chunk
      }
    } catch (error) {
      if (!(error instanceof NotCached)) throw error
      yield* passOn(object, { start: at, end }, hash)
    }
  }

  /** An object with so many bytes at least. */
  function isTooLarge(end: number): boolean {
    return Number.isFinite(end) && end >= maxBytes * maxShare
  }

  /** From the store, which verifies the whole object; `hash` has had what came before. */
  async function* passOn(object: string, range: Range, hash: Hash | undefined): AsyncGenerator<Buffer> {
    const { start, end } = range
    if (start === 0) yield* store.stream(object, end === Number.POSITIVE_INFINITY ? undefined : range)
    else if (hash && end + 1 >= ((await store.sizeOf(object)) ?? 0))
      yield* verifyObject(object, store.stream(object, range), hash)
    else yield* store.stream(object, range)
  }

  /** A filling that began while the store did not respond may fail long after the store is back. */
  async function* joinOrFill(
    object: string,
    running: Filling,
    { start, end }: Range,
  ): AsyncGenerator<Buffer> {
    let hasBegun = false
    try {
      for await (const chunk of running.read(start, end)) {
        hasBegun = true
        yield chunk
      }
    } catch (error) {
      if (hasBegun || error instanceof NotCached) throw error
      yield* fill(object).read(start, end)
    }
  }

  async function readWhole(object: string): Promise<Buffer> {
    const file = fillings.has(object) ? undefined : await openCached(object)
    if (!file) return buffer(read(object, { start: 0, end: Number.POSITIVE_INFINITY }))
    try {
      return await file.readFile()
    } finally {
      await file.close()
    }
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
