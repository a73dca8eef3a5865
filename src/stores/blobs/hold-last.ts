/** Keeps a reader from having all of something that turns out to be wrong. */

/**
 * Yields what `source` does, and the last of it once `check` has passed. Where the length is known to be
 * `bytes`, nothing else is held back, which would take memory for as long as its reader takes.
 */
export async function* holdLast(
  source: AsyncIterable<Buffer>,
  check: () => void | Promise<void>,
  bytes?: number,
): AsyncGenerator<Buffer> {
  let held: Buffer | undefined
  let left = bytes ?? 0
  for await (const chunk of source) {
    if (held) yield held
    held = chunk
    left -= chunk.length
    if (left <= 0) continue
    held = undefined
    yield chunk
  }
  await check()
  if (held) yield held
}
