/** Streams of which nothing is in memory that nobody has wanted yet. */
import { Readable } from 'node:stream'

/** A stream of the chunks of `source`, each of which is made when it is read, and none ahead. */
export function readLazily(source: AsyncIterable<Buffer>): Readable {
  return Readable.from(source, { highWaterMark: 0 })
}
