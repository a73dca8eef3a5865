/** How much space a directory takes. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'

/**
 * The bytes of all files below a directory, however deep. What goes meanwhile counts for nothing. It asks for
 * one file after another, since others read from the disk, too.
 */
export async function bytesBelow(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of (await readdir(directory, { withFileTypes: true }).catch(ignoreGone)) ?? []) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) bytes += await bytesBelow(path)
    else bytes += (await lstat(path).catch(ignoreGone))?.size ?? 0
  }
  return bytes
}

function ignoreGone(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
