/** Keeps a reader from having all of something that turns out to be wrong. */

/** Yields what `source` does, and the last of it once `check` has passed. */
export async function* holdLast(
  source: AsyncIterable<Buffer>,
  check: () => void | Promise<void>,
): AsyncGenerator<Buffer> {
  let held: Buffer | undefined
  for await (const chunk of source) {
    if (held) yield held
    held = chunk
  }
  await check()
  if (held) yield held
}
