/** Writes the files of a server into a directory of this host. */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { pathProblem } from '../../../lib/names/file-path.ts'
import { spelledOut } from '../../../lib/names/spelled-out.ts'
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import { findEscapingLink } from './escaping-link.ts'
import { layOut } from './lay-out.ts'
import type { KeptFile, KeptManifest } from './read-kept.ts'

/** Longer files are streamed. */
const atOnceBytes = 1024 * 1024

/**
 * Writes the files, for all to read and nobody to write, and the links, into `directory`, which must not
 * exist. Nothing of the manifest is trusted: no path or link leads out, and no link is there while files are
 * written.
 * @throws AppError `store_unavailable`; the signal's reason when it aborts; Error for an invalid path.
 */
export async function writeKept(
  blobs: BlobStore,
  manifest: KeptManifest,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  await inTurns(checkPaths(manifest))
  const executables = new Set(manifest.executables)
  await layOut(
    manifest,
    directory,
    (file, path) =>
      writeFrom(blobs, file, { path, mode: executables.has(file.path) ? 0o500 : 0o400 }, signal),
    signal,
  )
}

function* checkPaths({ files, links }: KeptManifest): Generator<void> {
  for (const path of [...files.map(({ path }) => path), ...Object.keys(links)]) {
    const problem = pathProblem(path)
    if (problem) throw new Error(`The path ${spelledOut(path)} ${problem}.`)
    yield
  }
  const escaping = yield* findEscapingLink(links)
  if (escaping !== undefined) throw new Error(`The link ${spelledOut(escaping)} leads out of its files.`)
}

async function writeFrom(
  blobs: BlobStore,
  { object, size }: KeptFile,
  { path, mode }: { path: string; mode: number },
  signal: AbortSignal,
): Promise<void> {
  if (size <= atOnceBytes) return writeFile(path, await blobs.read(object), { flag: 'wx', mode })
  const bytes = untilAborted(blobs.stream(object), signal)
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode }))
}

async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const chunk of source) {
    signal.throwIfAborted()
    yield chunk
  }
}
