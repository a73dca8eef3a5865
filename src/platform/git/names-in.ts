import { readdir } from 'node:fs/promises'

/** What is in a directory; nothing where there is none. */
export function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}
