/** The task of a restore, and its result. */
import type { Settings } from '../../lib/settings/variables.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Place } from './backup-place.ts'
import type { Missing, Progress } from './copy-listed.ts'
import type { Description } from './description.ts'

export type Restore = {
  settings: Settings
  place: Place
  /** Where the files of sites go, and where that is, for people. */
  store: { blobs: BlobStore; location: string }
  /** For temporary files, on the file system of the data directory. */
  scratch: string
  /** The backup's name; undefined: the newest. */
  backup: string | undefined
  /** Whether an installation that is there is replaced. */
  replace: boolean
  /** Whether to restore although files of sites are missing or damaged. */
  incomplete: boolean
  /** Whether to do without the encryption key of the backup. */
  newKey: boolean
  signal: AbortSignal
  progress: Progress
}

export type Restored = {
  backup: string
  description: Description
  copied: { files: number; bytes: number }
  /** Files of sites that are missing now. */
  missing: Missing
  /** Whether what the lost key had encrypted is gone. */
  secretsLost: boolean
}
