/** The messages between a node and the process that makes a backup for it. */
import type { MadeBackup } from '../backup/schedule.ts'

/** The argument that makes the program this process. */
export const backupArgument = '--backup'

/** The file descriptor of its channel to the node. */
export const backupDescriptor = 3

type BackupWork = {
  /** The backups in the place that may be removed. */
  made: string[]
}

/** Handled by the node. */
export type ToNode = {
  begin(): BackupWork
  /** Has no file collected for a minute; false where the hold was lost. */
  hold(isExtended: boolean): Promise<boolean>
  /** The directory with a copy of the embedded database. */
  copyDatabase(): Promise<string>
  /** The backup is whole; `missing` files are missing or damaged in the installation itself. */
  done(made: MadeBackup & { missing: number }): void
  /** It was not made, for this reason. */
  failed(failure: { message: string }): void
}

/** Handled by the process. */
export type ToBackup = {
  /** Removes what was begun, and ends. */
  stop(): void
}
