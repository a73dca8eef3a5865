/** Reads the output of a program that may print more than anybody wants to hold. */

/** All bytes of `source`. @throws Error as soon as there are more than `maxBytes`. */
export async function readAtMost(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of source) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`The output has more than ${maxBytes} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
