/** A stream of a file in pooled buffers, which reads nothing before somebody wants it. */
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { chunkBytes, createChunkSize, takeChunk } from './chunks.ts'
import { readLazily } from './read-lazily.ts'

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
  return readLazily(read(() => openFile(path), start, end))
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

/**
 * Bytes `start` to `end` of an open file, inclusive, or as many as there are; in larger chunks while they are
 * taken fast.
 */
export async function* readRange(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  const size = createChunkSize()
  for (let at = start; at <= end; ) {
    const wanted = Math.min(size.bytes(), end + 1 - at)
    const chunk = wanted < chunkBytes ? Buffer.allocUnsafeSlow(wanted) : takeChunk()
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    size.give()
    yield bytesRead === chunk.length ? chunk : chunk.subarray(0, bytesRead)
  }
}
