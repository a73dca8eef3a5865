/** The files of a deployment whose names contain a hash. */
import { findHashPlaces, type HashPlaces } from './hash-places.ts'
import { isHashedName } from './hashed-name.ts'

/**
 * The hashed names of `files`, and the places of hashes among all of them. Yields where it may be
 * interrupted.
 */
export function* findHashed<F extends { path: string }>(
  files: readonly F[],
): Generator<void, { hashPlaces: HashPlaces; hashed: F[] }> {
  const hashPlaces = yield* findHashPlaces(files.map(({ path }) => path))
  const hashed: F[] = []
  for (const file of files) {
    if (isHashedName(file.path, hashPlaces)) hashed.push(file)
    yield
  }
  return { hashPlaces, hashed }
}
