/** Reads a request's body within a size and a time. */
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

/**
 * All of `source`, which must end within `timeoutMs`.
 * @throws AppError `body_too_large` as soon as there is a byte too many, `request_timeout`.
 */
export async function readBody(
  source: Readable,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const deadline = performance.now() + timeoutMs
  for await (const chunk of withTimeout(source, () => deadline - performance.now())) {
    size += chunk.length
    if (size > maxBytes) throw bodyTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The refusal of a body over `maxBytes`. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(
    'body_too_large',
    `The body is larger than ${maxBytes} bytes. Upload files by digest instead.`,
  )
}

/**
 * The chunks of `source`, each of which must come within what `leftMs` then says. Unlike a plain loop over a stream, it
 * leaves the stream open when it ends early, so that an answer can still be sent.
 * @throws AppError `request_timeout`, `malformed_request` when the client goes away.
 */
export async function* withTimeout(source: Readable, leftMs: () => number): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(timedOut()), Math.max(0, leftMs()))
      })
      try {
        const next = await Promise.race([chunks.next(), late])
        if (next.done) return
        yield next.value
      } catch (error) {
        throw error instanceof AppError
          ? error
          : new AppError('malformed_request', 'The body broke off.', { cause: error })
      } finally {
        clearTimeout(timer)
      }
    }
  } finally {
    // Lets go of the stream, so that the rest can be read and the connection used again. It may never be done.
    void chunks.return?.()
  }
}

function timedOut(): AppError {
  return new AppError('request_timeout', 'The body came too slowly. Send it again.')
}
