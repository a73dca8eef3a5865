/** Whose files decide what a command does: the user's own and the administrator's, as in git's `safe.directory`. */
import type { Stats } from 'node:fs'

/**
 * Whether the owner of a file is this user or root or, for root by `sudo`, the user who called that. True where users have
 * no numbers, as on Windows.
 */
export function isOwnerTrusted({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = process.geteuid?.()
  if (user === undefined || uid === user || uid === 0) return true
  return user === 0 && process.env.SUDO_UID === String(uid)
}
