/** Paths of the Unix sockets in the data directory. */
import { join, relative } from 'node:path'
import { SettingsError } from '../../lib/settings/error.ts'

/**
 * The longest path of a Unix socket, in bytes: `sun_path` without its NUL, which is 4 bytes shorter off
 * Linux.
 */
const maxPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * The path of a socket in the data directory, relative to `cwd` if the absolute one is too long for a socket.
 * @throws SettingsError when both are.
 */
export function socketPath(directory: string, name: string, cwd = process.cwd()): string {
  const absolute = join(directory, name)
  const path = [absolute, relative(cwd, absolute)].find((each) => Buffer.byteLength(each) <= maxPathBytes)
  if (path !== undefined) return path
  throw new SettingsError(
    `SVC_DATA_DIR (${directory}) is too long: with /${name} behind it, it must fit in ${maxPathBytes} bytes.`,
  )
}
