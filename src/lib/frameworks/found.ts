/** The files among which a site or its sources are recognized. */
import { requireManifestSize } from './manifest.ts'

export type Found = {
  /**
   * The names of the files and folders in a folder, whose path is relative to the root; empty for that. No
   * folder is deeper than two levels below the one of the sources.
   */
  namesIn: (folder: string) => ReadonlySet<string>
  /** The text of a file that is there. @throws ManifestProblem for one that is too large. */
  textOf: (path: string) => Promise<string>
}

/** The first of the names that passes a test. */
export function nameIn(names: ReadonlySet<string>, test: (name: string) => boolean): string | undefined {
  for (const name of names) if (test(name)) return name
  return undefined
}

/** The path of a file or folder in a folder; that of the root is empty. */
export function inFolder(folder: string, name: string): string {
  return folder === '' || name === '' ? folder + name : `${folder}/${name}`
}

/** Whether a file or folder of this path is there. */
export function hasFile({ namesIn }: Found, path: string): boolean {
  const slash = path.lastIndexOf('/')
  return namesIn(path.slice(0, Math.max(0, slash))).has(path.slice(slash + 1))
}

/** The files as they are found from a folder of theirs. */
export function foundBelow({ namesIn, textOf }: Found, folder: string): Found {
  return {
    namesIn: (below) => namesIn(inFolder(folder, below)),
    textOf: (path) => textOf(inFolder(folder, path)),
  }
}

const maxDepth = 2

const none: ReadonlySet<string> = new Set()

/**
 * The same of a list of files, of which `read` resolves to the text, and whose sources are in `folder`;
 * yields where gathering their names may be interrupted.
 */
export function* foundIn<File extends { path: string; size: number }>(
  files: readonly File[],
  read: (file: File) => Promise<string>,
  folder = '',
): Generator<void, Found> {
  const folders = new Map<string, Set<string>>()
  const depth = maxDepth + (folder === '' ? 0 : folder.split('/').length)
  for (const { path } of files) {
    addNames(folders, path, depth)
    yield
  }
  return {
    namesIn: (folder) => folders.get(folder) ?? none,
    async textOf(path) {
      const file = files.find((each) => each.path === path)
      if (!file) return ''
      requireManifestSize(path, file.size)
      return read(file)
    },
  }
}

/** Adds the name of each part of the path to those of its folder. */
function addNames(folders: Map<string, Set<string>>, path: string, maxDepth: number): void {
  let start = 0
  for (let depth = 0; depth <= maxDepth && start <= path.length; depth += 1) {
    const slash = path.indexOf('/', start)
    const end = slash === -1 ? path.length : slash
    const folder = path.slice(0, Math.max(0, start - 1))
    const names = folders.get(folder) ?? new Set()
    names.add(path.slice(start, end))
    folders.set(folder, names)
    start = end + 1
  }
}
