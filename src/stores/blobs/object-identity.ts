/** The names of stored objects, which say what their bytes are: `<team>/<sha256>-<random>`. */
import { createHash, type Hash, hash, randomBytes } from 'node:crypto'
import { ObjectDamaged } from './damaged.ts'
import { holdLast } from './hold-last.ts'

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
 * Yields the bytes of the whole object, or of what follows those that `digest` has had, the last of them once
 * all are known to be right. `bytes` is how many they are, where that is known.
 * @throws ObjectDamaged when they are not those that were stored.
 */
export async function* verifyObject(
  object: string,
  source: AsyncIterable<Buffer>,
  { digest = createHash('sha256'), bytes }: { digest?: Hash; bytes?: number } = {},
): AsyncGenerator<Buffer> {
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      digest.update(chunk)
      yield chunk
    }
  }
  const check = () => {
    if (digest.digest('hex') !== digestOf(object)) throw new ObjectDamaged(object)
  }
  yield* holdLast(hashed(), check, bytes)
}

/** Whether these are the bytes of the whole object. */
export function isObject(object: string, bytes: Buffer): boolean {
  return hash('sha256', bytes) === digestOf(object)
}
