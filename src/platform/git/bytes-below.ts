/** How much space a directory takes. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'

/** The bytes of all files below a directory, however deep. What goes meanwhile counts for nothing. */
export async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(ignoreGone)
  const sizes = (entries ?? []).map(async (entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return bytesBelow(path)
    return (await lstat(path).catch(ignoreGone))?.size ?? 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function ignoreGone(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
