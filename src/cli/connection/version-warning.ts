/** Says that the command is of another version than the server it talks to. */
import { version } from '../../lib/version.ts'
import type { Io } from '../io.ts'
import { warn } from '../terminal/output.ts'

/**
 * A function that takes the versions that the server at `url` names, and warns of the first that isn't ours.
 */
export function versionWarning(io: Pick<Io, 'stderr'>, url: string): (serverVersion: string | null) => void {
  let hasWarned = false
  return (serverVersion) => {
    if (serverVersion === null || serverVersion === version || hasWarned) return
    hasWarned = true
    warn(
      io,
      `svc is version ${version}, the server ${serverVersion}. ` +
        `Install its own: npm install -g ${url}/svc.tgz`,
    )
  }
}
