/** Where the parts of a node keep their files in its data directory. */
import { join } from 'node:path'
import type { Settings } from '../../lib/settings/variables.ts'

/** The directory for zips on their way. */
export function zipsOf({ SVC_DATA_DIR }: Settings): string {
  return join(SVC_DATA_DIR, 'zips')
}

/** The directory for workspaces of builds. */
export function workspacesOf({ SVC_DATA_DIR }: Settings): string {
  return join(SVC_DATA_DIR, 'builds')
}

/** The directory for the files of servers. */
export function keptFilesOf({ SVC_DATA_DIR }: Settings): string {
  return join(SVC_DATA_DIR, 'servers', 'files')
}

/** The directory for repositories. */
export function gitOf({ SVC_DATA_DIR }: Settings): string {
  return join(SVC_DATA_DIR, 'git')
}
