/** The interface of blob stores. */
import type { Readable } from 'node:stream'
import type { Part } from './part.ts'

/**
 * Immutable objects under generated, unique names. An object exists completely or not at all, and is durable
 * once `put` has resolved. Every operation rejects with an AppError `store_unavailable` when the store fails.
 */
export type BlobStore = {
  /** Whether every node of the installation has the same objects, instead of those in its data directory. */
  readonly isShared: boolean
  /**
   * Stores the bytes of `source` and returns the new object's name, which begins with the team's id.
   * @throws AppError `digest_mismatch`, `size_mismatch` (too few bytes) or `body_too_large` (more than
   * `size`).
   */
  put(teamId: string, expected: BlobIdentity, source: AsyncIterable<Uint8Array>): Promise<string>
  /** Says that the database knows of these now: others go when the process that put them has died. */
  recorded(objects: string[]): void
  /**
   * Stores an object of another store under the name that it has there.
   * @throws AppError as `put` does.
   */
  write(object: string, expected: BlobIdentity, source: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * The whole object in memory, verified. @throws ObjectMissing where it doesn't exist, ObjectDamaged where
   * its bytes are others than those that were stored; also as the error of a stream.
   */
  read(object: string): Promise<Buffer>
  /**
   * A part, or the whole object. Errors are emitted on the stream. Consumers may `giveBack` chunks for reuse.
   * The last bytes of the whole object, also as a part that is all of it, come once all are known to be
   * right. What is less can't be verified by itself, but its object has the recorded length.
   */
  stream(object: string, part?: Part): Readable
  /** The whole object as it is stored, verified by nobody. */
  streamRaw(object: string): Readable
  /** Deletes an object; a missing one is fine. */
  remove(object: string): Promise<void>
  /** The length of an object in bytes; undefined if it doesn't exist. */
  sizeOf(object: string): Promise<number | undefined>
  /** The lengths of those of the objects that exist, in few requests where the names are near one another. */
  sizesOf(objects: string[]): Promise<Map<string, number>>
  /** All objects, in batches. */
  list(): AsyncIterable<string[]>
  /**
   * The objects not written to since `beforeMs`, in batches; leftovers of failed writes are removed on the
   * way.
   */
  listOlderThan(beforeMs: number): AsyncIterable<string[]>
  /** The objects that don't exist with the recorded length. */
  findMissing(objects: RecordedObject[]): Promise<string[]>
  /** Believes no longer to have seen the object, or any. */
  forget(object?: string): void
  /** Whether it has no objects. */
  isEmpty(): Promise<boolean>
  /** The id of the installation that owns the objects; undefined if none was set. */
  readOwner(): Promise<string | undefined>
  /** Sets the owner; durable once it has resolved. */
  setOwner(installation: string): Promise<void>
  /** The id of its directory, which nodes may share; undefined for a bucket. */
  directoryId(): Promise<string | undefined>
  /**
   * Moves the object to the trash of that day (`2026-01-31`). Reading it still works, and restores it. Does
   * nothing for a missing object.
   */
  discard(object: string, day: string): Promise<void>
  /** The objects in the trash, in batches. */
  listDiscarded(): AsyncIterable<string[]>
  /** Restores an object from the trash; false if it isn't there any more. */
  takeBack(object: string): Promise<boolean>
  /**
   * Deletes trash from before that day, and then the oldest until at most `maxBytes` are left. Resolves to
   * how many objects were deleted.
   */
  removeDiscarded(limits: { beforeDay: string; maxBytes: number }): Promise<number>
  /** Resolves when the store is writable. */
  check(): Promise<void>
  /**
   * Signs uploads that bypass the nodes; undefined where the store takes none, or would take other bytes than
   * those that were signed. Objects that arrive so are like those of `put`.
   */
  directUploads(): Promise<SignUpload | undefined>
}

/**
 * The upload of an object, under a name that none had before, valid for `validS` seconds; undefined for a
 * size that the store doesn't take so.
 */
export type SignUpload = (object: string, expected: BlobIdentity, validS: number) => DirectUpload | undefined

/** A PUT of the raw bytes, with these headers. */
export type DirectUpload = { url: string; headers: Record<string, string> }

/** An object's name and its length in bytes. */
export type RecordedObject = { object: string; size: number }

/** SHA-256 in lower-case hex, and length in bytes. */
export type BlobIdentity = { sha256: string; size: number }
