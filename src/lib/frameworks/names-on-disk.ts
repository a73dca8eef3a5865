/** The names of files on a disk, as sources are recognized among them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Found } from './found.ts'

/** Those below the directory `top`, each folder read once; none of one that can't be read. */
export function namesOnDisk(top: string): Found['namesIn'] {
  const folders = new Map<string, ReadonlySet<string>>()
  return (folder) => {
    const names = folders.get(folder) ?? namesIn(join(top, folder))
    folders.set(folder, names)
    return names
  }
}

function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory))
  } catch {
    // Whoever reads the files reports what is wrong with it.
    return new Set()
  }
}
