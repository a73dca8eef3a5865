import { readdir } from 'node:fs/promises'

/** Resolves to the names in a directory; to none where it can't be read. */
export function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}
