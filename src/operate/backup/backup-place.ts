/**
 * Where backups are kept: a directory or a bucket, with one directory for each backup and the files of all of
 * them.
 */
import { createHash } from 'node:crypto'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { BackupError } from './error.ts'

export type Place = {
  /** For people. */
  readonly location: string
  /** The files of sites, which backups share: those of one installation. */
  readonly blobs: BlobStore
  /** The names of all backups, whole or not, the oldest first. */
  list(): Promise<string[]>
  /** Whether the backup has such a file. */
  has(backup: string, file: string): Promise<boolean>
  /** The bytes of a file. Throws BackupError where it is missing. */
  read(backup: string, file: string): AsyncIterable<Buffer>
  /** Writes a file, which is whole and durable once this resolves, or not there. */
  write(backup: string, file: string, source: AsyncIterable<Uint8Array>): Promise<Written>
  /** Removes a file; a missing one is fine. */
  remove(backup: string, file: string): Promise<void>
  /** Removes the backup with all that is left of it. */
  removeAll(backup: string): Promise<void>
  /** Removes backups that aren't whole, where it is certain that the process that made them died. */
  removeLeft(): Promise<void>
  close(): Promise<void>
}

/** Before the name of a process in those of drafts, and of a file in a backup that is not whole. */
export const writer = 'writer.'

/** The length and the SHA-256 of a written file. */
export type Written = { bytes: number; sha256: string }

/**
 * The name of a backup that is begun now, such as `2026-01-31T12-00-00.000Z`: the order of names is that of
 * time.
 */
export function newBackupName(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(':', '-')
}

/** Whether this is the name of a backup, rather than of something else in its place. */
export function isBackupName(name: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/.test(name)
}

/** When the backup of this name was begun. */
export function begunMs(name: string): number {
  return Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
}

/** Yields the bytes of `source`, and calls `ended` with their length and SHA-256. */
export async function* measured(
  source: AsyncIterable<Uint8Array>,
  ended: (written: Written) => void,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of source) {
    digest.update(chunk)
    bytes += chunk.byteLength
    yield chunk
  }
  ended({ bytes, sha256: digest.digest('hex') })
}

/** The error for a file of a backup that isn't there. */
export function missingFile(path: string): BackupError {
  return new BackupError(`${path} is missing: this backup is incomplete.`)
}
