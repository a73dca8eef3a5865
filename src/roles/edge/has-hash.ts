/** Which files of a deployment a browser may keep, since their names contain a hash of their content. */
import { type HashPlaces, noPlaces } from '../../platform/sites/hashed-names/hash-places.ts'
import { isHashedName } from '../../platform/sites/hashed-names/hashed-name.ts'
import { createHasChanged } from '../../platform/sites/hashed-names/name-history.ts'

export type HasHash = (path: string) => boolean

/** By name and directory, unless the project's history knows that the file has `changed` under its name. */
export function createHasHash(places: HashPlaces, changed: string): HasHash {
  const hasChanged = createHasChanged(changed)
  return (path) => isHashedName(path, places) && !hasChanged(path)
}

/** By name and directory alone. */
export const hasHashByName: HasHash = createHasHash(noPlaces, '')
