/** Messages of the worker that hashes. It is sent a list of files. */

/** Bytes that were read; the digest of the file at a place of the list; or the file that can't be read. */
export type HashMessage =
  | { kind: 'read'; bytes: number }
  | { kind: 'digest'; at: number; sha256: string }
  | { kind: 'unreadable'; at: number }
