/**
 * Whose files decide what a program does: the user's own and the administrator's, as in git's
 * `safe.directory`.
 */
import type { Stats } from 'node:fs'
import { release } from 'node:os'

/**
 * Whether the owner of a file is this user or root or, for root by `sudo`, the user who called that. True
 * where users have no numbers, as on Windows.
 */
export function isOwnerTrusted({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = process.geteuid?.()
  if (user === undefined || uid === user || uid === 0) return true
  return user === 0 && process.env.SUDO_UID === String(uid)
}

/** Why a file may not decide what is done, as a sentence with the remedy; undefined if it may. */
export function distrustOf(path: string, stat: Pick<Stats, 'uid' | 'mode'>): string | undefined {
  if (!isOwnerTrusted(stat)) {
    return (
      `${path} belongs to another user (${stat.uid}), who could decide with it what is done in your name. ` +
      'Make it yours if you trust what it says: a copy of it is.'
    )
  }
  if (!isWritableByAll(stat)) return undefined
  return (
    `${path} can be written by every user of this machine, ` +
    'who could decide with it what is done in your name. ' +
    `Run \`chmod o-w ${path}\` if you trust what it says.`
  )
}

/**
 * Not where Windows' drives are mounted without rights of their own (WSL): everything has all of them there.
 */
function isWritableByAll({ mode }: Pick<Stats, 'mode'>): boolean {
  if (process.platform === 'win32' || (mode & 0o002) === 0) return false
  return !((mode & 0o777) === 0o777 && /microsoft/i.test(release()))
}
