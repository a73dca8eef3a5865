/**
 * Large files as streams. Those in use are kept in memory, in pieces: reading a file costs at least half as much again as
 * sending it, and Node can't leave both to the system as sendfile(2) would.
 */
import { totalmem } from 'node:os'
import { Readable } from 'node:stream'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { giveBack } from '../../blobs/chunks.ts'
import { createSizedCache } from '../sized-cache.ts'
import type { ByteRange } from '../wire/byte-ranges.ts'
import type { ManifestFile } from './asset.ts'

export type LargeFiles = {
  /** Whether the file is in memory. */
  has(file: ManifestFile): boolean
  /** The bytes of `range`, as a stream that fails when the store does. */
  stream(file: ManifestFile, range: ByteRange): Readable
  /** Tells that a client has taken so many bytes of the file. */
  sent(file: ManifestFile, bytes: number): void
}

/** What an answer holds on to while its client takes nothing, even after the file was dropped. */
const pieceBytes = 1024 * 1024

/** How often all of a file is sent before it is loaded, so that nobody makes us read much by taking little. */
const timesSent = 2
const maxCounted = 1_000

/** A sixteenth of what this process may use, up to 256 MiB. */
export const largeFileMemoryBytes = Math.min(
  256 * 1024 * 1024,
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 16),
)

/** Streams from `blobs`, or from at most `maxBytes` of memory; one file may take half of them. */
export function createLargeFiles(blobs: BlobStore, maxBytes: number): LargeFiles {
  const kept = createSizedCache<string, Buffer[]>((pieces) => pieces.length * pieceBytes, maxBytes)
  const sentBytes = new Map<string, number>()
  let isLoading = false

  /** What was sent of a file since it was last loaded; forgotten for those that were sent longest ago. */
  function count(object: string, bytes: number): void {
    sentBytes.delete(object)
    sentBytes.set(object, bytes)
    const [oldest] = sentBytes.keys()
    if (sentBytes.size > maxCounted && oldest !== undefined) sentBytes.delete(oldest)
  }

  /** One file at a time: until it is there nothing else has made room for it. */
  function keep(file: ManifestFile): void {
    isLoading = true
    count(file.object, 0)
    const ended = () => {
      isLoading = false
    }
    // What fails here fails again where a client waits for it.
    kept.get(file.object, () => load(file)).then(ended, ended)
  }

  async function load({ object, size }: ManifestFile): Promise<Buffer[]> {
    const pieces = Array.from({ length: Math.ceil(size / pieceBytes) }, (_, index) =>
      Buffer.allocUnsafeSlow(Math.min(pieceBytes, size - index * pieceBytes)),
    )
    let at = 0
    for await (const chunk of blobs.stream(object)) {
      at = copyInto(pieces, at, chunk)
      giveBack(chunk)
    }
    if (at !== size) throw new Error('A blob has another length than its row says.')
    return pieces
  }

  /** The kept bytes from `at` on, up to `end` or the end of their piece. Nothing else of the file is held on to. */
  function keptBytes(object: string, at: number, end: number): Buffer | undefined {
    const piece = kept.peek(object)?.[Math.floor(at / pieceBytes)]
    return piece?.subarray(at % pieceBytes, end + 1 - (at - (at % pieceBytes)))
  }

  async function* bytes(object: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    let at = start
    for (let piece = keptBytes(object, at, end); piece && at <= end; piece = keptBytes(object, at, end)) {
      at += piece.length
      yield piece
    }
    // Dropped on the way.
    if (at <= end) yield* blobs.stream(object, { start: at, end })
  }

  return {
    has: ({ object }) => kept.peek(object) !== undefined,
    stream(file, range) {
      const { object } = file
      return kept.peek(object) ? Readable.from(bytes(object, range)) : blobs.stream(object, range)
    },
    sent(file, sentNow) {
      const { object, size } = file
      if (size > maxBytes / 2 || kept.peek(object)) return
      const total = (sentBytes.get(object) ?? 0) + sentNow
      if (total >= timesSent * size && !isLoading) keep(file)
      else count(object, total)
    },
  }
}

/** Copies `chunk` to where it belongs; returns where it ends. @throws when that is past the last piece. */
function copyInto(pieces: Buffer[], start: number, chunk: Buffer): number {
  let copied = 0
  while (copied < chunk.length) {
    const at = start + copied
    const piece = pieces[Math.floor(at / pieceBytes)]
    if (!piece) throw new Error('A blob is longer than its row says.')
    const count = chunk.copy(piece, at % pieceBytes, copied)
    if (count === 0) throw new Error('A blob is longer than its row says.')
    copied += count
  }
  return start + copied
}
