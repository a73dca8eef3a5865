/**
 * Nodes on one database keep their files in one directory. Those of tests have each their own, so that a test
 * can break its own, and take it for the same.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes a node take its directory of files for that of all others, unless it has an id, such as one that was
 * restored.
 */
export async function pretendOneDirectory(dataDirectory: string): Promise<void> {
  const blobs = join(dataDirectory, 'blobs')
  await mkdir(blobs, { recursive: true, mode: 0o700 })
  const file = join(blobs, 'directory')
  if (!existsSync(file)) await writeFile(file, 'of all nodes of a test\n')
}
