/** Reads a zip in the browser: its list of files, and single ones of them. */
import {
  BlobReader,
  BlobWriter,
  type FileEntry,
  TextWriter,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-native.js'
import { entryPath } from '../../../../src/lib/names/entry-path.ts'
import { isAddedByMacos } from '../../../../src/lib/names/never-deployed.ts'
import { type ChosenFile, commonFolder } from './site-files'

/** The files by their paths, without what macOS adds; `text` inflates one. */
export async function filesOfZip(
  zip: Blob,
): Promise<{ path: string; size: number; text: () => Promise<string> }[]> {
  return (await entriesOf(zip)).map(({ path, entry }) => ({
    path,
    size: entry.uncompressedSize,
    text: () => entry.getData(new TextWriter()),
  }))
}

/** Larger zips are sent as they are. */
const maxInflatedBytes = 256 * 1024 * 1024

/** The kind of a file in its Unix mode, and that of a symbolic link (POSIX, sys/stat.h). */
const [kindBits, symbolicLink] = [0o170000, 0o120000]

/**
 * The files of a zip that has everything in one folder, as most programs make one of a folder; undefined for
 * any other. The server says more about one with links, a password, or a name that is there twice.
 */
export async function filesOfOneFolder(zip: Blob): Promise<ChosenFile[] | undefined> {
  const entries = await entriesOf(zip)
  const isPlain = entries.every(
    ({ entry }) => !entry.encrypted && ((entry.externalFileAttributes >>> 16) & kindBits) !== symbolicLink,
  )
  const isUnique = new Set(entries.map(({ path }) => path)).size === entries.length
  const bytes = entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  if (!isPlain || !isUnique || bytes > maxInflatedBytes || commonFolder(entries) === undefined)
    return undefined
  const files: ChosenFile[] = []
  for (const { path, entry } of entries) {
    const content = await entry.getData(new BlobWriter())
    files.push({ path, content: new File([content], path.split('/').at(-1) ?? path) })
  }
  return files
}

async function entriesOf(zip: Blob): Promise<{ path: string; entry: FileEntry }[]> {
  const reader = new ZipReader(new BlobReader(zip), { useWebWorkers: false })
  return (await reader.getEntries()).flatMap((entry) => {
    const path = entryPath(entry.filename.replaceAll('\\', '/'))
    return entry.directory || path.endsWith('/') || isAddedByMacos(path) ? [] : [{ path, entry }]
  })
}
