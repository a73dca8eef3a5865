/** Reads a zip in the browser: its list of files, and single ones of them. */
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js'

/** The files by their paths, without what macOS adds; `text` inflates one. */
export async function filesOfZip(
  zip: Blob,
): Promise<{ path: string; size: number; text: () => Promise<string> }[]> {
  const reader = new ZipReader(new BlobReader(zip), { useWebWorkers: false })
  const entries = await reader.getEntries()
  return entries.flatMap((entry) =>
    entry.directory || entry.filename.startsWith('__MACOSX/')
      ? []
      : [
          {
            path: entry.filename.replaceAll('\\', '/'),
            size: entry.uncompressedSize,
            text: () => entry.getData(new TextWriter()),
          },
        ],
  )
}
