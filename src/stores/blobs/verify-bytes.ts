/** Verifies the digest and size of a stream. */
import { createHash } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'
import type { BlobIdentity } from './blob-store.ts'

/**
 * Yields the bytes of `source`, and ends only if they are exactly the declared blob.
 * @throws AppError `body_too_large` at the first byte too many, `size_mismatch`, `digest_mismatch`.
 */
export async function* verifyBytes(
  expected: BlobIdentity,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    if (size > expected.size) {
      throw new AppError('body_too_large', `The body is larger than the declared ${expected.size} bytes.`)
    }
    hash.update(chunk)
    yield chunk
  }
  if (size < expected.size) {
    throw new AppError('size_mismatch', `The body has ${size} bytes, but ${expected.size} were declared.`)
  }
  const sha256 = hash.digest('hex')
  if (sha256 !== expected.sha256) {
    throw new AppError(
      'digest_mismatch',
      `The body's SHA-256 is ${sha256}, but ${expected.sha256} was declared.`,
    )
  }
}
