/** The places in a site where what pages load is, such as scripts, whether it is still there or not. */
import type { HashPlaces } from '../../platform/sites/hashed-names/hash-places.ts'
import { isNamedByFramework } from '../../platform/sites/hashed-names/hashed-name.ts'

export type IsAssetPlace = (path: string) => boolean

/** The directories of a framework, and those where a bundler named most scripts by hashes. */
export function createIsAssetPlace(places: HashPlaces): IsAssetPlace {
  const directories = Object.keys(places).flatMap((directory) => (directory === '' ? [] : [`${directory}/`]))
  return (path) => isNamedByFramework(path) || directories.some((directory) => path.startsWith(directory))
}
