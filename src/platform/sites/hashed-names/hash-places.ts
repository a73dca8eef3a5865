/** The directories of a deployment in which a bundler names files by hashes, and how. */
import { z } from 'zod'
import { findHashes } from './find-hashes.ts'

/** The styles of hashes (see `FoundHash`) by directory; `''` is the root. */
export const hashPlacesSchema = z.record(z.string(), z.array(z.string()))

export type HashPlaces = z.infer<typeof hashPlacesSchema>

/** Without any. */
export const noPlaces: HashPlaces = {}

/** Scripts and styles are written by a bundler, all of them. */
const script = /\.(?:[cm]?js|css)$/i

/** So many files of one style, and this part of the directory's scripts and styles. */
const minFiles = 2
const minShare = 0.6

/** The record is kept with each deployment. */
const maxPlaces = 200

/**
 * Directories where most scripts and styles have a hash of the same style. There also a picture or a file of
 * data of this style, and a hash that alone could be a number, is one. Yields where it may be interrupted.
 */
export function* findHashPlaces(paths: Iterable<string>): Generator<void, HashPlaces> {
  const directories = new Map<string, { scripts: number; styles: Map<string, number> }>()
  for (const path of paths) {
    yield
    if (!script.test(path)) continue
    const at = path.lastIndexOf('/')
    const directory = path.slice(0, Math.max(0, at))
    const found = directories.get(directory) ?? { scripts: 0, styles: new Map<string, number>() }
    directories.set(directory, found)
    found.scripts += 1
    for (const style of stylesOf(path.slice(at + 1)))
      found.styles.set(style, (found.styles.get(style) ?? 0) + 1)
  }
  const places: [string, string[]][] = []
  for (const [directory, { scripts, styles }] of directories) {
    const usual = [...styles].filter(([, files]) => files >= minFiles && files >= scripts * minShare)
    if (usual.length > 0 && places.length < maxPlaces) places.push([directory, usual.map(([style]) => style)])
  }
  return Object.fromEntries(places)
}

/** Words are no evidence, if only just. */
function stylesOf(name: string): Set<string> {
  const hashes = findHashes(name).filter(({ likelihood }) => likelihood !== 'unlikely')
  return new Set(hashes.map(({ style }) => style))
}
