/** Reads a request body within a size and a time limit. */
import type { Readable } from 'node:stream'
import { within } from '../../../lib/async/within.ts'
import { AppError } from '../../../lib/errors.ts'

type BodyLimits = {
  maxBytes: number
  timeoutMs: number
  /** The length that the client announced, at most `maxBytes`; 0 without one. */
  declaredBytes?: number
  /** Called with the number of bytes so far; may throw to refuse them. */
  growTo?: (bytes: number) => void
}

/**
 * Reads all of `source`, which must end within `timeoutMs`.
 * @throws AppError `body_too_large` at the first byte too many, `request_timeout`; what `growTo` throws.
 */
export async function readBody(
  source: Readable,
  { maxBytes, timeoutMs, declaredBytes = 0, growTo }: BodyLimits,
): Promise<Buffer> {
  const collected = collect(declaredBytes)
  let size = 0
  for await (const chunk of withinPace(source, wholeWithin(timeoutMs))) {
    size += chunk.length
    if (size > maxBytes) throw bodyTooLarge(maxBytes)
    growTo?.(size)
    collected.add(chunk)
  }
  return collected.whole()
}

/**
 * Copied where they belong as they come, for as long as they fit: to join them in the end takes milliseconds
 * at a stretch.
 */
function collect(declaredBytes: number): { add(chunk: Buffer): void; whole(): Buffer } {
  // Pages that aren't written to take no memory.
  const known = Buffer.allocUnsafe(declaredBytes)
  const beyond: Buffer[] = []
  let at = 0
  return {
    add(chunk) {
      const fits = beyond.length === 0 && at + chunk.length <= known.length
      if (fits) at += chunk.copy(known, at)
      else beyond.push(chunk)
    },
    whole() {
      const start = known.subarray(0, at)
      return beyond.length === 0 ? start : Buffer.concat([start, ...beyond])
    },
  }
}

/** The error for a body over `maxBytes`. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(
    'body_too_large',
    `The body is larger than ${maxBytes} bytes. Upload files by digest instead.`,
  )
}

/** The minimum rate of a body. */
export type Pace = {
  /** The timeout for the next bytes. */
  leftMs(): number
  /** Called with the number of bytes received, and how long they took. */
  came(bytes: number, waitedMs: number): void
}

/** The whole body within `timeoutMs`. */
export function wholeWithin(timeoutMs: number): Pace {
  const deadline = performance.now() + timeoutMs
  return { leftMs: () => deadline - performance.now(), came() {} }
}

/** At least this many bytes a second, averaged over `windowMs` of waiting, however long the body takes. */
export function noSlowerThan(bytesPerSecond: number, windowMs: number): Pace {
  const dueBytes = (bytesPerSecond * windowMs) / 1_000
  let bytes = 0
  let waitedMs = 0
  return {
    leftMs: () => windowMs - waitedMs,
    came(more, ms) {
      bytes += more
      waitedMs += ms
      if (bytes < dueBytes) return
      bytes = 0
      waitedMs = 0
    },
  }
}

/**
 * The chunks of `source` while they keep the pace. Unlike a plain `for await` over a stream, it leaves the
 * stream open when it ends early, so that a response can still be sent.
 * @throws AppError `request_timeout`; `malformed_request` when the client disconnects.
 */
export async function* withinPace(source: Readable, pace: Pace): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const startMs = performance.now()
      const next = await nextWithin(chunks, pace.leftMs())
      if (next.done) return
      pace.came(next.value.length, performance.now() - startMs)
      yield next.value
    }
  } finally {
    // Releases the stream, so that the rest can be drained and the connection reused. This promise may never
    // settle.
    void chunks.return?.()
  }
}

async function nextWithin(
  chunks: AsyncIterator<Buffer, undefined>,
  leftMs: number,
): Promise<IteratorResult<Buffer, undefined>> {
  // Clients that send single bytes may always have the next one ready.
  if (leftMs <= 0) throw timedOut()
  try {
    return await within(leftMs, chunks.next(), () => {
      throw timedOut()
    })
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('malformed_request', 'The connection closed before the end of the body.', {
          cause: error,
        })
  }
}

function timedOut(): AppError {
  return new AppError('request_timeout', 'The body arrived too slowly. Send it again.')
}
