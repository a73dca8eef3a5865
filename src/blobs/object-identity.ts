/** The names of stored objects, which say what their bytes are: `<team>/<sha256>-<random>`. */
import { createHash, randomBytes } from 'node:crypto'
import { storeUnavailable } from './unavailable.ts'

/** A name that no object had before. */
export function newObjectName(teamId: string, sha256: string): string {
  return `${teamId}/${sha256}-${randomBytes(8).toString('hex')}`
}

/** Whether this is the name of an object, rather than of something else in a bucket. */
export function isObjectName(text: string): boolean {
  return /^team_[0-9a-f]{32}\/[0-9a-f]{64}-[0-9a-f]{16}$/.test(text)
}

/** The SHA-256 of the object's bytes, in lower-case hex, as its name says. */
export function digestOf(object: string): string {
  return object.slice(object.indexOf('/') + 1, object.lastIndexOf('-'))
}

/**
 * Yields the bytes of the whole object, or of what follows those that `hash` has had, the last of them once all are known to be
 * right. @throws AppError `store_unavailable` when they are not those that were stored.
 */
export async function* verifyObject(
  object: string,
  source: AsyncIterable<Buffer>,
  hash = createHash('sha256'),
): AsyncGenerator<Buffer> {
  let held: Buffer | undefined
  for await (const chunk of source) {
    hash.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (hash.digest('hex') !== digestOf(object))
    throw storeUnavailable(new Error(`The object ${object} is damaged.`))
  if (held) yield held
}
