/** Memory that files are read into, a mebibyte at a time, and that is used again: to make it anew costs as much as the reading. */

/** Large enough that reading a big file isn't bound by the number of calls. */
export const chunkBytes = 1024 * 1024

const maxIdle = 8

const idle: Buffer[] = []
const lent = new WeakSet<Buffer>()

/** A chunk that holds whatever it held before. Whoever forgets to give it back does no harm. */
export function takeChunk(): Buffer {
  const chunk = idle.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)
  lent.add(chunk)
  return chunk
}

/** Takes back what is a whole chunk, and nothing else; nobody may look at it any more. */
export function giveBack(chunk: Buffer): void {
  if (lent.delete(chunk) && idle.length < maxIdle) idle.push(chunk)
}
