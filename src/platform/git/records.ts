/** Records in the output of git, which end in a NUL. */

/** `maxBytes` of a record; `tooLong` makes the error for a longer one from its beginning. */
type Bounds = { maxBytes: number; tooLong: (beginning: Buffer) => Error }

/**
 * The complete records of each part of `output`, without their ends; an incomplete last one is dropped.
 * @throws the error of `tooLong` as soon as a record exceeds `maxBytes`.
 */
export async function* recordsOf(
  output: AsyncIterable<Buffer>,
  { maxBytes, tooLong }: Bounds,
): AsyncGenerator<Buffer[]> {
  let held: Buffer = Buffer.alloc(0)
  for await (const part of output) {
    const bytes = held.length === 0 ? part : Buffer.concat([held, part])
    const records: Buffer[] = []
    let start = 0
    // What was held before has no end.
    for (let end = bytes.indexOf(0, held.length); end !== -1; end = bytes.indexOf(0, start)) {
      if (end - start > maxBytes) throw tooLong(bytes.subarray(start, start + maxBytes))
      records.push(bytes.subarray(start, end))
      start = end + 1
    }
    held = bytes.subarray(start)
    if (held.length > maxBytes) throw tooLong(held.subarray(0, maxBytes))
    yield records
  }
}
