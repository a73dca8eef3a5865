/** Compressed files of a backup, written with their digests and verified when they are read. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib'
import { measured, type Place } from './backup-place.ts'
import type { StoredFile } from './description.ts'
import { BackupError } from './error.ts'

/** Writes `source` compressed. */
export async function writePacked(
  place: Place,
  backup: string,
  file: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  return { file, ...(await place.write(backup, file, through(source, createGzip()))) }
}

/**
 * The bytes that were compressed into `stored`.
 * @throws BackupError that names the file, at the latest at its end, if it isn't the one that was written.
 */
export async function* readPacked(place: Place, backup: string, stored: StoredFile): AsyncGenerator<Buffer> {
  try {
    yield* through(verified(place, backup, stored), createGunzip())
  } catch (error) {
    // A file that is not compressed at all fails before its digest is known.
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
      ? damaged(place, backup, stored.file)
      : error
  }
}

/** Reads the whole file. @throws BackupError that names it, if it isn't the one that was written. */
export async function verifyFile(place: Place, backup: string, stored: StoredFile): Promise<void> {
  for await (const _ of verified(place, backup, stored));
}

/**
 * Reads the whole file. Returns how many bytes were compressed into it.
 * @throws BackupError that names it, if it isn't the one that was written.
 */
export async function unpackedBytes(place: Place, backup: string, stored: StoredFile): Promise<number> {
  let bytes = 0
  for await (const chunk of readPacked(place, backup, stored)) bytes += chunk.length
  return bytes
}

async function* verified(place: Place, backup: string, stored: StoredFile): AsyncGenerator<Uint8Array> {
  let isRight = false
  yield* measured(place.read(backup, stored.file), ({ bytes, sha256 }) => {
    isRight = bytes === stored.bytes && sha256 === stored.sha256
  })
  if (!isRight) throw damaged(place, backup, stored.file)
}

function damaged({ location }: Place, backup: string, file: string): BackupError {
  const path = `${location.replace(/\/$/, '')}/${backup}/${file}`
  return new BackupError(`${path} is damaged: its SHA-256 is not the one in the description of the backup.`)
}

/** The output of `transform` for `source`, whose error it passes on. */
export function through(source: AsyncIterable<Uint8Array>, transform: Gzip | Gunzip): AsyncIterable<Buffer> {
  // Its failure destroys the transform, whose reader gets the error.
  pipeline(Readable.from(source), transform).catch(() => {})
  return transform
}
