/** The error of backups that are damaged, incomplete or not for this program. */

/** The message names the file or the place, and says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
