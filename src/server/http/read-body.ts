/** Reads a request's body within a size and a time. */
import type { Readable } from 'node:stream'
import { within } from '../../async/within.ts'
import { AppError } from '../../errors.ts'

type BodyLimits = {
  maxBytes: number
  timeoutMs: number
  /** Is told how many bytes have come so far, and may refuse them. */
  growTo?: (bytes: number) => void
}

/**
 * All of `source`, which must end within `timeoutMs`.
 * @throws AppError `body_too_large` as soon as there is a byte too many, `request_timeout`; what `growTo` throws.
 */
export async function readBody(
  source: Readable,
  { maxBytes, timeoutMs, growTo }: BodyLimits,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of withinPace(source, wholeWithin(timeoutMs))) {
    size += chunk.length
    if (size > maxBytes) throw bodyTooLarge(maxBytes)
    growTo?.(size)
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

/** How fast a body has to come. */
export type Pace = {
  /** How long its next bytes may take. */
  leftMs(): number
  /** Is told of bytes that came, and how long they were waited for. */
  came(bytes: number, waitedMs: number): void
}

/** All of it within `timeoutMs`, however its bytes are spread. */
export function wholeWithin(timeoutMs: number): Pace {
  const deadline = performance.now() + timeoutMs
  return { leftMs: () => deadline - performance.now(), came() {} }
}

/** So many bytes a second on average while `windowMs` were waited for them, however long it takes in all. */
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
 * The chunks of `source`, as long as they come at this pace. Unlike a plain loop over a stream, it leaves the stream open
 * when it ends early, so that an answer can still be sent.
 * @throws AppError `request_timeout`, `malformed_request` when the client goes away.
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
    // Lets go of the stream, so that the rest can be read and the connection used again. It may never be done.
    void chunks.return?.()
  }
}

async function nextWithin(
  chunks: AsyncIterator<Buffer, undefined>,
  leftMs: number,
): Promise<IteratorResult<Buffer, undefined>> {
  // Whoever sends a byte at a time may always have the next one ready.
  if (leftMs <= 0) throw timedOut()
  try {
    return await within(leftMs, chunks.next(), () => {
      throw timedOut()
    })
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('malformed_request', 'The body broke off.', { cause: error })
  }
}

function timedOut(): AppError {
  return new AppError('request_timeout', 'The body came too slowly. Send it again.')
}
