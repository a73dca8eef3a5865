/** The file in a blob directory with the id of the installation that owns it. */
import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfAny } from '../data-dir/read-if-any.ts'
import { syncDirectory } from './sync-directory.ts'

const fileName = 'installation'

/** The id in the file, if any. */
export async function readOwnerFile(directory: string): Promise<string | undefined> {
  const text = await readIfAny(join(directory, fileName))
  return text?.trim() || undefined
}

/** Replaces the file atomically. */
export async function writeOwnerFile(directory: string, installation: string): Promise<void> {
  const draft = join(directory, `${fileName}.draft-${randomBytes(8).toString('hex')}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${installation}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(directory, fileName))
    await syncDirectory(directory)
  } finally {
    await rm(draft, { force: true })
  }
}
