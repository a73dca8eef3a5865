/** Records in the output of git, which end in a NUL. */

/** The complete records of each part of `output`, without their ends; an incomplete last one is dropped. */
export async function* recordsOf(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let held: Buffer = Buffer.alloc(0)
  for await (const part of output) {
    held = Buffer.concat([held, part])
    const records: Buffer[] = []
    let start = 0
    for (let end = held.indexOf(0); end !== -1; end = held.indexOf(0, start)) {
      records.push(held.subarray(start, end))
      start = end + 1
    }
    held = held.subarray(start)
    yield records
  }
}
