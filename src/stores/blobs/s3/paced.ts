/** Bodies that have to keep coming, and bodies in slices that have to be accepted. */

/** Slower than this, a body counts as stuck. */
const minBytesPerMs = 1

/** The bytes of one write: a connection that accepts none for a while counts as lost. */
const sliceBytes = 64 * 1024

/**
 * Yields the chunks of `source`, as long as the waits for them are at most `silenceMs` together, and a
 * millisecond for each byte that has come. Waits of the consumer don't count.
 * @throws Error when they are longer; what `source` throws.
 */
export async function* keepComing(source: AsyncIterable<Buffer>, silenceMs: number): AsyncGenerator<Buffer> {
  let waitedMs = 0
  let bytes = 0
  let sinceMs = performance.now()
  for await (const chunk of source) {
    waitedMs += performance.now() - sinceMs
    bytes += chunk.length
    if (waitedMs > silenceMs + bytes / minBytesPerMs)
      throw new Error(`The body arrives too slowly: ${bytes} bytes in ${Math.round(waitedMs)} ms.`)
    yield chunk
    sinceMs = performance.now()
  }
}

/** `bytes` in slices. */
export async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}
