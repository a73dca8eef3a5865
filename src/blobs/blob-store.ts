/** What a store of blobs can do, whatever keeps the bytes. */
import type { Readable } from 'node:stream'

/**
 * Bytes under names that are made here and never used twice. An object exists whole or not at all, and is durable once
 * `put` has resolved. Every operation rejects with an AppError `store_unavailable` when the store can't do its work.
 */
export type BlobStore = {
  /**
   * Stores what `source` yields and returns the new object's name, which begins with the team's id.
   * @throws AppError `digest_mismatch`, `size_mismatch` (too few bytes) or `body_too_large` (more than `size`).
   */
  put(teamId: string, expected: BlobIdentity, source: AsyncIterable<Uint8Array>): Promise<string>
  /** The whole object in memory. */
  read(object: string): Promise<Buffer>
  /**
   * Bytes `start` to `end`, both included; the whole object without them. Errors come on the stream. Who has no more use for
   * a chunk may `giveBack` it.
   */
  stream(object: string, range?: { start: number; end: number }): Readable
  /** Removes an object; one that is gone already is fine. */
  remove(object: string): Promise<void>
  /** The stored objects not written to since `beforeMs`, in batches; leftovers of broken writes are removed on the way. */
  listOlderThan(beforeMs: number): AsyncIterable<string[]>
  /** Resolves when the store can take writes. */
  check(): Promise<void>
}

/** SHA-256 in lower-case hex, and length in bytes. */
export type BlobIdentity = { sha256: string; size: number }
