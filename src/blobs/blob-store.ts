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
  /** Those of the objects that it doesn't have. */
  findMissing(objects: string[]): Promise<string[]>
  /** Whether it has no object at all. */
  isEmpty(): Promise<boolean>
  /** The id of the installation whose objects these are; undefined where none was set. */
  readOwner(): Promise<string | undefined>
  /** Says whose objects these are; durable once it has resolved. */
  setOwner(installation: string): Promise<void>
  /**
   * Keeps the object apart from the others as of that day (`2026-01-31`). Whoever asks for it gets it all the same, which
   * puts it back. Nothing happens where there is no such object.
   */
  discard(object: string, day: string): Promise<void>
  /** What was discarded and not taken back, in batches. */
  listDiscarded(): AsyncIterable<string[]>
  /** Puts a discarded object back among the others; false where it isn't there any more. */
  takeBack(object: string): Promise<boolean>
  /**
   * Removes for good what was discarded before that day, and of the rest the oldest until it has no more than `maxBytes`.
   * Resolves to how many objects those were.
   */
  removeDiscarded(limits: { beforeDay: string; maxBytes: number }): Promise<number>
  /** Resolves when the store can take writes. */
  check(): Promise<void>
}

/** SHA-256 in lower-case hex, and length in bytes. */
export type BlobIdentity = { sha256: string; size: number }
