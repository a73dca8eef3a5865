/**
 * Opens the files of a backup, which somebody else may have made: nothing that leads out of it, or makes a
 * reader wait.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from './error.ts'

/** Windows has neither of the others. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

/**
 * The regular file of that name in the backup's directory. @throws BackupError for anything else, and for one
 * that links lead to; the error of the file system.
 */
export async function openRegular(directory: string, name: string): Promise<FileHandle> {
  const path = join(directory, name)
  const folder = join(await realpath(directory), dirname(name))
  const isInside = (await realpath(dirname(path))) === folder
  // Looked at before, since to open a device may have effects, and afterwards, since it may be another file
  // by then.
  if (!isInside || !(await lstat(path)).isFile()) throw notRegular(path)
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw notRegular(path)
}

function notRegular(path: string): BackupError {
  return new BackupError(`${path} is damaged: it is no regular file of the backup.`)
}
