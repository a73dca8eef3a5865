/** Reads the output of a process. */
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasCode } from '../../lib/has-code.ts'

/**
 * Takes the next chunk after what `take` returns has resolved, and yields before it.
 * Resolves at the end of the output, or when waiting for it is given up.
 */
export async function takeChunks(stream: Readable | null, take: (chunk: Buffer) => unknown): Promise<void> {
  if (!stream) return
  try {
    for await (const chunk of stream) {
      await take(chunk)
      await nextTurn()
    }
  } catch (error) {
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  }
}
