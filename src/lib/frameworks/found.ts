/** The files among which a site or its sources are recognized. */
import { requireManifestSize } from './manifest.ts'

export type Found = {
  /**
   * The names of the files and folders in a folder, whose path is relative to the root; empty for that. No
   * folder is deeper than two levels.
   */
  namesIn: (folder: string) => readonly string[]
  /** The text of a file that is there. @throws ManifestProblem for one that is too large. */
  textOf: (path: string) => Promise<string>
}

const maxDepth = 2

/** The same of a list of files, of which `read` resolves to the text. */
export function foundIn<File extends { path: string; size: number }>(
  files: readonly File[],
  read: (file: File) => Promise<string>,
): Found {
  const root = [...new Set(files.map(({ path }) => firstOf(path)))]
  let folders: ReadonlyMap<string, readonly string[]> | undefined
  return {
    namesIn(folder) {
      if (folder === '') return root
      folders ??= foldersOf(files)
      return folders.get(folder) ?? []
    },
    async textOf(path) {
      const file = files.find((each) => each.path === path)
      if (!file) return ''
      requireManifestSize(path, file.size)
      return read(file)
    },
  }
}

function firstOf(path: string): string {
  const slash = path.indexOf('/')
  return slash === -1 ? path : path.slice(0, slash)
}

/** The names in each folder below the root. */
function foldersOf(files: readonly { path: string }[]): Map<string, string[]> {
  const folders = new Map<string, Set<string>>()
  for (const { path } of files) {
    const names = path.split('/', maxDepth + 1)
    for (let depth = 1; depth < names.length; depth += 1) {
      const folder = names.slice(0, depth).join('/')
      const inside = folders.get(folder) ?? new Set()
      inside.add(names[depth] ?? '')
      folders.set(folder, inside)
    }
  }
  return new Map([...folders].map(([folder, names]) => [folder, [...names]]))
}
