/** Compresses a stream at the best level, off the main thread, with a size limit. */
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Coding } from './encodings.ts'

/** The best level of brotli takes one to two seconds per megabyte, a lower level a tenth of that. */
const smallBytes = 256 * 1024
const mediumBytes = 2 * 1024 * 1024

const chunkSize = 64 * 1024

/**
 * Compresses `source`, which has `size` bytes, with `coding`; undefined as soon as the output exceeds
 * `maxBytes`. Rejects as the source does, and when `signal` aborts.
 */
export async function compress(
  coding: Coding,
  source: AsyncIterable<Uint8Array>,
  { size, maxBytes, signal }: { size: number; maxBytes: number; signal: AbortSignal },
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let left = maxBytes
  const gather = async (encoded: AsyncIterable<Buffer>) => {
    for await (const chunk of encoded) {
      left -= chunk.length
      if (left < 0) throw new Error('The compressed variant is too large.')
      chunks.push(chunk)
    }
  }
  try {
    await pipeline(source, createEncoder(coding, size), gather, { signal })
  } catch (error) {
    if (left < 0) return undefined
    throw error
  }
  return Buffer.concat(chunks)
}

function createEncoder(coding: Coding, size: number) {
  if (coding === 'gzip') return createGzip({ chunkSize, level: size <= mediumBytes ? 9 : 6 })
  const quality = size <= smallBytes ? 11 : size <= mediumBytes ? 9 : 5
  return createBrotliCompress({
    chunkSize,
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: size },
  })
}
