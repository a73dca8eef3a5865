/** A stream of a file in pooled buffers. */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { chunkBytes, smallChunkBytes, takeChunk } from './chunks.ts'

const whole = { start: 0, end: Number.POSITIVE_INFINITY }

/**
 * Bytes `start` to `end` of a file, inclusive, or as many as there are. Errors are emitted on the stream.
 * `openFile` is for files that aren't simply opened by path.
 */
export function streamFile(
  path: string,
  { start, end }: { start: number; end: number } = whole,
  openFile: (path: string) => Promise<FileHandle> = open,
): Readable {
  return Readable.from(read(() => openFile(path), start, end))
}

async function* read(
  openFile: () => Promise<FileHandle>,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  const file = await openFile()
  try {
    yield* readRange(file, start, end)
  } finally {
    await file.close()
  }
}

/** A reader that takes longer for a chunk gets small ones, of which less waits in memory. */
const slowMs = 100

/**
 * Bytes `start` to `end` of an open file, inclusive, or as many as there are; in larger chunks while they are
 * taken fast.
 */
export async function* readRange(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  let size = smallChunkBytes
  for (let at = start; at <= end; ) {
    const wanted = Math.min(size, end + 1 - at)
    const chunk = wanted < chunkBytes ? Buffer.allocUnsafeSlow(wanted) : takeChunk()
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    const gaveMs = performance.now()
    yield bytesRead === chunk.length ? chunk : chunk.subarray(0, bytesRead)
    size = performance.now() - gaveMs < slowMs ? Math.min(chunkBytes, size * 2) : smallChunkBytes
  }
}
