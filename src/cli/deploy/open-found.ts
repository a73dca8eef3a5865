/** Opens a file that the walk of a site has found, and no other that has its name by now. */
import { closeSync, constants, fstatSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { type Failure, failed } from '../command-failure.ts'
import type { SiteFile } from './site-file.ts'

/** To open a FIFO that took a file's place would wait. Windows has neither of these flags. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

/** The errors of opening a link, a socket or nothing in the place of a file. */
const replaced = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']

/**
 * The descriptor of the file, as it was found.
 * @throws Failure for a file that changed since, or that links in the place of its folders lead to.
 */
export function openFound({ path, absolute, device, inode, size, modifiedMs }: SiteFile): number {
  const fd = openUnlessReplaced(absolute, path)
  try {
    const stat = fstatSync(fd)
    const isSame =
      stat.dev === device && stat.ino === inode && stat.size === size && stat.mtimeMs === modifiedMs
    // Only now, so that the folders are those that the file was opened in.
    if (!isSame || !isOwnPath(dirname(absolute))) throw changed(path)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The error for a file at `path` that changed after it was found. */
export function changed(path: string): Failure {
  return failed(`${path} changed while it was read. Deploy again.`)
}

/** Whether no link is on the way to `directory`, which had none. */
export function isOwnPath(directory: string): boolean {
  try {
    return realpathSync.native(directory) === directory
  } catch {
    // The directory is gone.
    return false
  }
}

function openUnlessReplaced(absolute: string, path: string): number {
  try {
    return openSync(absolute, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  } catch (error) {
    throw replaced.some((code) => hasCode(error, code)) ? changed(path) : error
  }
}
