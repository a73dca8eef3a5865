/** The file in a directory of blobs that names the installation whose blobs they are. */
import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfAny } from '../data-dir/read-if-any.ts'
import { syncDirectory } from './sync-directory.ts'

const fileName = 'installation'

/** The id that is there, if any. */
export async function readOwnerFile(directory: string): Promise<string | undefined> {
  const text = await readIfAny(join(directory, fileName))
  return text?.trim() || undefined
}

/** Writes it aside and renames it, so that there is a whole one or none. */
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
