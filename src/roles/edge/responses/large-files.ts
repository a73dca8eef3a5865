/**
 * Large files as streams. Those in use are cached in memory, in pieces: reading a file costs at least half as
 * much again as sending it, and Node can't use sendfile(2).
 */
import { totalmem } from 'node:os'
import type { Readable } from 'node:stream'
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import { createChunkSize, giveBack } from '../../../stores/blobs/chunks.ts'
import { isWhole } from '../../../stores/blobs/part.ts'
import { readLazily } from '../../../stores/blobs/read-lazily.ts'
import { createSizedCache } from '../../../stores/cache/sized-cache.ts'
import type { ByteRange } from '../wire/parse-ranges.ts'
import type { ManifestFile } from './file-headers.ts'

export type LargeFiles = {
  /** Whether the file is in memory. */
  has(file: ManifestFile): boolean
  /** The bytes of `range`, as a stream that fails when the store does. */
  stream(file: ManifestFile, range: ByteRange): Readable
  /** Records that a client has received this many bytes of the file. */
  sent(file: ManifestFile, bytes: number): void
}

/** The bytes that a response buffers for a stalled client, even after the file was evicted. */
const pieceBytes = 1024 * 1024

/** How often all of a file is sent before it is cached, so that small ranges don't cause large reads. */
const timesSent = 2
const maxCounted = 1_000

/** A sixteenth of this process's memory limit, up to 256 MiB. */
export const largeFileMemoryBytes = Math.min(
  256 * 1024 * 1024,
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 16),
)

/** Streams from `blobs`, or from at most `maxBytes` of memory; one file may use half of them. */
export function createLargeFiles(blobs: BlobStore, maxBytes: number): LargeFiles {
  const kept = createSizedCache<string, Buffer[]>((pieces) => pieces.length * pieceBytes, maxBytes)
  const sentBytes = new Map<string, number>()
  let isLoading = false

  /** Bytes sent of each file since it was last loaded; the least recently sent are evicted. */
  function count(object: string, bytes: number): void {
    sentBytes.delete(object)
    sentBytes.set(object, bytes)
    const [oldest] = sentBytes.keys()
    if (sentBytes.size > maxCounted && oldest !== undefined) sentBytes.delete(oldest)
  }

  /** Loads one file at a time, so that loads don't evict each other. */
  function keep(file: ManifestFile): void {
    isLoading = true
    count(file.object, 0)
    const ended = () => {
      isLoading = false
    }
    // A failure here fails again where a client waits for it.
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
    if (at !== size) throw new Error('The length of a blob differs from its row.')
    return pieces
  }

  /** The cached bytes from `at` to `end`, or to the end of their piece. Keeps no other piece alive. */
  function keptBytes(object: string, at: number, end: number): Buffer | undefined {
    const piece = kept.peek(object)?.[Math.floor(at / pieceBytes)]
    return piece?.subarray(at % pieceBytes, end + 1 - (at - (at % pieceBytes)))
  }

  async function* bytes({ object, size }: ManifestFile, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    const next = createChunkSize()
    let at = start
    while (at <= end) {
      const piece = keptBytes(object, at, Math.min(end, at + next.bytes() - 1))
      if (!piece) break
      at += piece.length
      next.give()
      yield piece
    }
    if (at > end) return
    // Evicted meanwhile. The rest of a whole file can't be verified by itself.
    const part = { start, end, size }
    if (isWhole(part)) yield* without(at, blobs.stream(object, part))
    else yield* blobs.stream(object, { ...part, start: at })
  }

  return {
    has: ({ object }) => kept.peek(object) !== undefined,
    stream(file, range) {
      const { object, size } = file
      return kept.peek(object) ? readLazily(bytes(file, range)) : blobs.stream(object, { ...range, size })
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

/** The rest of `source` after its first `bytes` bytes. */
async function* without(bytes: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of source) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield skipped === 0 ? chunk : chunk.subarray(skipped)
    else giveBack(chunk)
  }
}

/** Copies `chunk` to its position; returns the end. @throws when that is past the last piece. */
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
