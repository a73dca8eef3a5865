/** A pool of buffers for reading files, a mebibyte each: allocating one costs as much as reading into it. */

/** Large enough that the number of calls doesn't dominate. */
export const chunkBytes = 1024 * 1024

/** Until it is known that they are taken fast. */
export const smallChunkBytes = 64 * 1024

/** A reader that takes longer for a chunk gets small ones, of which less waits in memory. */
const slowMs = 100

/** How large the next chunk for a reader is: larger each time while chunks are taken fast. */
export function createChunkSize() {
  let size = smallChunkBytes
  let gaveMs: number | undefined
  return {
    /** In bytes, once the reader wants it. */
    bytes(): number {
      const isFast = gaveMs !== undefined && performance.now() - gaveMs < slowMs
      size = isFast ? Math.min(chunkBytes, size * 2) : smallChunkBytes
      return size
    },
    /** The reader gets a chunk now. */
    give(): void {
      gaveMs = performance.now()
    },
  }
}

const maxIdle = 8

const idle: Buffer[] = []
const lent = new WeakSet<Buffer>()

/** A buffer with arbitrary content. Not giving it back does no harm. */
export function takeChunk(): Buffer {
  const chunk = idle.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)
  lent.add(chunk)
  return chunk
}

/** Returns a whole buffer to the pool, and ignores others; it must not be used any more. */
export function giveBack(chunk: Buffer): void {
  if (lent.delete(chunk) && idle.length < maxIdle) idle.push(chunk)
}
